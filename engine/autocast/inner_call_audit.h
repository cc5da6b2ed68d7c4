// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/trial_calls.h"
#include "engine/policy/inner_calls.h"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace binade::autocast {

/// How the table of what ATen's kernels call inside compares with the LibTorch that is loaded, which is asked by calls
/// of its ops. Ops are named `aten::norm.Scalar`.
struct InnerCallAudit {
  struct Difference {
    std::string op;
    std::string told;   ///< by the table: `bmm cat`; empty for nothing
    std::string shown;  ///< by the call
  };
  int ops = 0;      ///< that were called
  int calling = 0;  ///< of these, whose kernels call listed ops
  std::vector<Difference> differences;
  /// Ops whose trial calls are refused, as this processor may have no kernel, or that LibTorch does not have: of them
  /// nothing is known. No drift.
  std::vector<std::string> refused;

  /// Whether the loaded LibTorch calls otherwise than the table says.
  bool drifts() const { return !differences.empty(); }
};

/// The ops, `relu` or `prod.dim_int`, that arrive above autograd while `call` runs; nothing where it is refused. One
/// thread at a time.
std::optional<std::set<std::string>> ops_inside(const TrialCall& call);

/// Those of them that PyTorch's lists name.
std::optional<std::set<std::string>> listed_inside(const TrialCall& call);

/// Makes every call of `lines`, with gradients and without, and compares what arrives with `table`. Takes about two
/// seconds on one thread. A kernel of another LibTorch may end the process: call it in one that may end.
InnerCallAudit audit_inner_calls(std::span<const policy::InnerCalls> table = policy::inner_calls(),
                                 std::span<const std::string_view> lines = trial_lines());

}  // namespace binade::autocast
