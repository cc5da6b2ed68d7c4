// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"
#include "engine/policy/site_match.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace binade::policy {

// What of a policy changes nothing in a model, although the model has what it speaks of.

/// An op change and the sites of its op.
struct ChangedOp {
  std::string_view key;  ///< as the policy has it
  Decision decision;
  std::vector<int> sites;
};

/// Rules all of whose op calls show their argument's memory, so that no rule casts them: a warning each. `matched` and
/// `places` as resolve() has them.
std::vector<Finding> idle_rules(const Policy& policy, const std::vector<std::vector<int>>& matched,
                                std::span<const SitePlace> places, const SiteNames& names);

/// Op changes all of whose op calls are such views, or go by site rules: a warning each, a note where the model has ops
/// that are `made_of_others`, inside which they hold all the same. One note on those that say what the base list says.
/// `resolved` has all but its findings.
std::vector<Finding> idle_op_changes(const Policy& policy, const Resolved& resolved, std::span<const ChangedOp> changes,
                                     std::span<const SiteKey> sites, std::span<const SitePlace> places,
                                     const SiteNames& names, const std::vector<std::string>& made_of_others);

}  // namespace binade::policy
