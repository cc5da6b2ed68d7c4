// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"
#include "engine/policy/site_match.h"

#include <span>
#include <vector>

namespace binade::policy {

/// Findings on site rules from which later rules take op calls over. A warning if nothing is left of a rule, or if two
/// rules with the same match differ. A note if two rules with the same match agree, or if a later rule overrides a part
/// of an earlier one. `matched[i]` are the sites that rule i matches.
std::vector<Finding> overlap_findings(const Policy& policy, const Resolved& resolved,
                                      const std::vector<std::vector<int>>& matched, const SiteNames& names);

/// Findings on rules for a call after the first, at op calls that run once per forward: such a call never happens.
/// `places` as for resolve(). How often a loop runs is not known here; training reports that.
std::vector<Finding> call_findings(const Policy& policy, const std::vector<std::vector<int>>& matched,
                                   std::span<const SitePlace> places, const SiteNames& names);

}  // namespace binade::policy
