// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy_tools/merge.h"

#include <vector>

namespace binade::policy_tools {

/// The three policies of a merge and what decides between two of them.
struct Three {
  const policy::Policy& base;
  const policy::Policy& mine;
  const policy::Policy& theirs;
  std::optional<Side> prefer;
  const ModelCalls* model;  ///< may be null

  bool takes_theirs() const { return prefer == Side::kTheirs; }
};

/// Merges the site rules, and adds conflicts.
std::vector<policy::SiteRule> merge_rules(const Three& three, std::vector<Conflict>& conflicts);

/// Whether two different matches may match the same op call; without a model, true if that is unknown.
bool may_overlap(const policy::SiteRule& a, const policy::SiteRule& b, const ModelCalls* model);

/// Compares every op call of the model under the merged policy with what the sides gave it, and adds conflicts.
void compare_calls(const Three& three, const policy::Policy& merged, std::vector<Conflict>& conflicts);

}  // namespace binade::policy_tools
