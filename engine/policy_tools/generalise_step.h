// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy_tools/generalise.h"

#include <vector>

namespace binade::policy_tools {

/// A policy while a tool works on it: `origins[i]` is the index of rule i in the policy that a person gave, or kMade.
struct Draft {
  policy::Policy policy;
  std::vector<int> origins;

  explicit Draft(const policy::Policy& from);
  void erase(std::size_t rule);
};

/// Replaces rules of the draft by patterns until no pattern replaces two or more. `model` has the stand-ins of
/// with_loss(). Returns the patterns.
std::vector<Generalised::Pattern> replace_by_patterns(Draft& draft, const ModelCalls& model);

/// Throws Error{kInternal} if two policies have different tables. `tool` is named in the message.
void prove_equal(const policy::Policy& before, const policy::Policy& after, const ModelCalls& model, const char* tool);

}  // namespace binade::policy_tools
