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

/// A device for training, or the reason why it cannot be used.
struct ProbedDevice {
  std::string name;  ///< `cpu`, `cuda:0`
  bool usable = false;
  std::string text;  ///< description, or why the device cannot be used
  policy::Capabilities can;
};

/// What works on this machine.
struct Probe {
  std::string version;
  std::string libtorch;
  std::string cpu_capability;  ///< instruction set of LibTorch's own kernels: `AVX512`
  /// Instruction sets that decide which formats the CPU runs natively, and whether the CPU has them.
  std::vector<std::pair<std::string, bool>> instruction_sets;
  std::vector<ProbedDevice> devices;
  std::vector<autocast::ListAudit> lists;
  std::optional<autocast::InnerCallAudit> inner_calls;  ///< nullopt if the audit did not run
  std::string inner_calls_failed;                       ///< why the audit failed, as a sentence
  profiler::Readiness tensor_cores;                     ///< whether tensor-core use can be measured

  /// Returns whether the op tables differ from the loaded LibTorch. A failed audit does not count.
  bool drifts() const;
};

/// Inspects the machine; runs no work on a device and measures no time. `no_cuda`: the result of open_cuda().
Probe probe(const std::string& no_cuda);

/// Audits which ops LibTorch's kernels call inside, in a child process; takes some seconds. Sets `inner_calls` or
/// `inner_calls_failed`.
void ask_inner_calls(Probe& probe);

/// Returns that audit as one line of JSON; the child process prints it.
std::string audit_inner_calls_json();

/// Logs a warning if the op lists differ from the loaded LibTorch. Takes less than a millisecond, so that every
/// training can call it.
void warn_of_drift();

/// Returns one line of JSON whose `event` is `probe`.
std::string to_json(const Probe& probe);

/// Returns a report for people, ending with a newline.
std::string to_text(const Probe& probe);

}  // namespace binade::host
