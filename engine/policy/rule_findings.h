// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"
#include "engine/policy/site_match.h"

#include <span>
#include <string>
#include <vector>

namespace binade::policy {

/// What is to be said where most site rules match nothing: how the two models differ. `matched[i]` are the sites that
/// rule i matches, whether or not a later rule takes them over; `names` are the sites' own.
std::vector<Finding> rule_findings(const Policy& policy, const std::vector<std::vector<int>>& matched,
                                   std::span<const SiteKey> sites, const SiteNames& names);

/// Where native execution is asked for and cannot be had: one finding a rule, with how many op calls run emulated
/// instead, the first of them, and why.
std::vector<Finding> native_findings(const Policy& policy, const Resolved& resolved, std::span<const SiteKey> sites,
                                     const SiteNames& names);

}  // namespace binade::policy
