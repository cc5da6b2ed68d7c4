// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy_tools/model_calls.h"

#include <cstddef>
#include <string>
#include <vector>

namespace binade::policy_tools {

/// A policy with patterns in place of several rules each.
struct Generalised {
  /// One pattern or op change, and what it replaces.
  struct Pattern {
    std::string match;                  ///< `layer*.conv1`, or `ops["aten::gelu"]`
    std::vector<std::string> replaced;  ///< rules, as `sites[3] (fc1/aten::linear#0): float32`
    std::size_t op_calls = 0;           ///< number of the model's op calls that the pattern matches

    friend bool operator==(const Pattern&, const Pattern&) = default;
  };

  policy::Policy policy;
  std::vector<Pattern> patterns;
};

/// Replaces rules for single op calls that request the same by patterns: an op change, a module's path, or a path with
/// `*` for an index, a subtree or an ordinal. A pattern is only used if it replaces two or more rules and the table
/// of the policy for `model` stays equal; where it would change another op call it is refused. Deterministic: the
/// pattern that replaces most rules comes first, then the one that matches fewest further op calls, then the plainest.
/// The table is compared anew before it returns; throws Error{kInternal} if it differs.
Generalised generalise(const policy::Policy& policy, const ModelCalls& model);

}  // namespace binade::policy_tools
