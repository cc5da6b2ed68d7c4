// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/op_lists.h"

#include <c10/core/DeviceType.h>

#include <span>
#include <string>
#include <vector>

namespace binade::autocast {

/// Comparison of a base list with what the loaded LibTorch registers for a device's autocast. Ops are named
/// `aten::norm.Scalar`.
struct ListAudit {
  c10::DeviceType device = c10::kCPU;
  int rows = 0;        ///< number of rows in the base list
  int registered = 0;  ///< number of kernels on the device's autocast key in LibTorch
  /// Rows that LibTorch does not cast or does not have.
  std::vector<std::string> not_registered;
  /// Ops that LibTorch casts and the list lacks.
  std::vector<std::string> not_listed;
  /// Rows that this build or machine cannot have: `_cudnn_rnn` without LibTorch's CUDA part. They do not count as
  /// drift.
  std::vector<std::string> not_here;

  /// Whether the loaded LibTorch casts differently from the list.
  bool drifts() const { return !not_registered.empty() || !not_listed.empty(); }
};

/// Compares `rows` with the registrations for `device` (CPU or CUDA; the CUDA ones exist in every build). Only queries
/// the dispatcher, without tensors or devices. Takes about a millisecond; safe on any thread.
ListAudit audit_list(c10::DeviceType device, std::span<const policy::OpRow> rows);

/// Audits of the lists for CUDA and CPU. The engine runs them at its start and warns of drift; `binade-engine probe`
/// names the ops.
std::vector<ListAudit> audit_lists();

/// A description of the drift, for logs; empty if there is none.
std::string drift_text(const std::vector<ListAudit>& audits);

}  // namespace binade::autocast
