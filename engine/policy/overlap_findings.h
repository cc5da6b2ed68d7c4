// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"
#include "engine/policy/site_match.h"

#include <span>
#include <vector>

namespace binade::policy {

/// Which site rules others take op calls from, wholly or in part, and at which sites: a later rule wins. `matched[i]`
/// are the sites that rule i matches. A warning where nothing is left of a rule, or two with the same match say
/// different things; a note where a later rule asks otherwise for a part of what an earlier one matches.
std::vector<Finding> overlap_findings(const Policy& policy, const Resolved& resolved,
                                      const std::vector<std::vector<int>>& matched, const SiteNames& names);

/// Rules for a later call of op calls that run once in a forward, so that it never comes. `places` as resolve() takes
/// them. How often a loop runs is known only afterwards: a training tells that.
std::vector<Finding> call_findings(const Policy& policy, const std::vector<std::vector<int>>& matched,
                                   std::span<const SitePlace> places, const SiteNames& names);

}  // namespace binade::policy
