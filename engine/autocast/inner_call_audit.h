// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/trial_calls.h"
#include "engine/policy/inner_calls.h"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace binade::autocast {

/// Comparison of policy::inner_calls() with the loaded LibTorch, by trial calls of its ops. Ops are named
/// `aten::norm.Scalar`.
struct InnerCallAudit {
  struct Difference {
    std::string op;
    std::string table;    ///< calls in the table: `bmm cat`; empty for none
    std::string library;  ///< calls that were observed
  };
  int ops = 0;      ///< number of ops called
  int calling = 0;  ///< of `ops`, number whose kernels call listed ops
  std::vector<Difference> differences;
  /// Ops without a usable trial call: this processor may lack a kernel, or LibTorch lacks the op. They are unknown and
  /// do not count as drift.
  std::vector<std::string> refused;

  /// Whether the loaded LibTorch differs from the table.
  bool drifts() const { return !differences.empty(); }
};

/// Ops, such as `relu` or `prod.dim_int`, that are dispatched above autograd while `call` runs; empty optional if the
/// call throws. One thread at a time.
std::optional<std::set<std::string>> ops_inside(const TrialCall& call);

/// The ops of ops_inside() that PyTorch's lists name.
std::optional<std::set<std::string>> listed_inside(const TrialCall& call);

/// Makes every call of `lines`, with and without gradients, and compares the observed calls with `table`. Takes about
/// two seconds on one thread. A kernel of another LibTorch may end the process, so run it in a process that may end.
/// Run by `binade-engine probe` and by the suite autocast_oracle.TestOpDtypes.
InnerCallAudit audit_inner_calls(std::span<const policy::InnerCalls> table = policy::inner_calls(),
                                 std::span<const std::string_view> lines = trial_lines());

}  // namespace binade::autocast
