// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/op_lists.h"

#include <c10/core/DeviceType.h>

#include <span>
#include <string>
#include <vector>

namespace binade::autocast {

/// How our list for a device compares with what the LibTorch that is loaded registers for its autocast. Ops are named
/// `aten::norm.Scalar`.
struct ListAudit {
  c10::DeviceType device = c10::kCPU;
  int rows = 0;        ///< of our list
  int registered = 0;  ///< kernels that LibTorch has on the device's autocast key
  /// Rows that LibTorch does not cast, or does not know at all.
  std::vector<std::string> not_registered;
  /// What LibTorch casts and our list lacks.
  std::vector<std::string> not_listed;
  /// Rows that this build or machine cannot have: `_cudnn_rnn`, where LibTorch's CUDA part is not loaded. No drift.
  std::vector<std::string> not_here;

  /// Whether the loaded LibTorch casts otherwise than our list says.
  bool drifts() const { return !not_registered.empty() || !not_listed.empty(); }
};

/// Compares `rows` with the registrations for `device` (CPU or CUDA; the CUDA ones exist in every build). Asks the
/// dispatcher only: no tensor is made and no device is touched. Takes about a millisecond; safe on any thread.
ListAudit audit_list(c10::DeviceType device, std::span<const policy::OpRow> rows);

/// Our lists for CUDA and for the CPU.
std::vector<ListAudit> audit_lists();

/// A sentence that says what drifts, for logs; empty where nothing does.
std::string drift_text(const std::vector<ListAudit>& audits);

}  // namespace binade::autocast
