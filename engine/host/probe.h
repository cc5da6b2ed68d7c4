// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/inner_call_audit.h"
#include "engine/autocast/op_list_audit.h"
#include "engine/policy/resolve.h"
#include "profiler/monitor.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace binade::host {

/// A device that runs can train on, or why there is none.
struct ProbedDevice {
  std::string name;  ///< `cpu`, `cuda:0`
  bool usable = false;
  std::string text;  ///< what it is, or why it cannot be used
  policy::Capabilities can;
};

/// What works on this machine.
struct Probe {
  std::string version;
  std::string libtorch;
  std::string cpu_capability;  ///< the instruction set that LibTorch's own kernels use: `AVX512`
  /// Instruction sets that decide which formats the CPU runs natively, and whether they are there.
  std::vector<std::pair<std::string, bool>> instruction_sets;
  std::vector<ProbedDevice> devices;
  std::vector<autocast::ListAudit> lists;
  std::optional<autocast::InnerCallAudit> inner_calls;  ///< nothing where LibTorch was not asked
  std::string inner_calls_failed;                       ///< why it was not, a sentence
  profiler::Readiness tensor_cores;                     ///< whether their use can be measured

  /// Whether something was found to differ. What could not be asked is no drift.
  bool drifts() const;
};

/// Looks: opens no device for work, times nothing. `no_cuda`: why LibTorch's CUDA part is not there (open_cuda()).
Probe probe(const std::string& no_cuda);

/// Asks LibTorch what its kernels call inside, in a process of its own, which takes some seconds.
void ask_inner_calls(Probe& probe);

/// What that process prints: the audit as one line of JSON.
std::string audit_inner_calls_json();

/// Warns in the log where the op lists are not those of the LibTorch that is loaded. Takes less than a millisecond, so
/// that every start of a training can afford it.
void warn_of_drift();

/// One line of JSON, `event` is `probe`.
std::string to_json(const Probe& probe);

/// For people; ends with a newline.
std::string to_text(const Probe& probe);

}  // namespace binade::host
