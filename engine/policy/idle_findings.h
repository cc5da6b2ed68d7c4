// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"
#include "engine/policy/site_match.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace binade::policy {

// Findings on rules and op changes that match something in the model and still change nothing.

/// An op change and the sites that it matches.
struct ChangedOp {
  std::string_view key;  ///< as in the policy
  Decision decision;
  std::vector<int> sites;
};

/// A warning for each rule all of whose op calls are views or the model's own casts, which no rule casts. `matched[i]`
/// are the sites that rule i matches; `places` as for resolve().
std::vector<Finding> idle_rules(const Policy& policy, const std::vector<std::vector<int>>& matched,
                                std::span<const SitePlace> places, const SiteNames& names);

/// Findings on op changes without effect. A warning if all op calls are such views. A warning if site rules decide all
/// of them, or a note if the model has ops `made_of_others`, inside which the change applies. One note on all changes
/// that repeat the base list. `resolved` is complete except for its findings.
std::vector<Finding> idle_op_changes(const Policy& policy, const Resolved& resolved, std::span<const ChangedOp> changes,
                                     std::span<const SiteKey> sites, std::span<const SitePlace> places,
                                     const SiteNames& names, const std::vector<std::string>& made_of_others);

}  // namespace binade::policy
