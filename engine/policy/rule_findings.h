// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"
#include "engine/policy/site_match.h"

#include <span>
#include <string>
#include <vector>

namespace binade::policy {

/// Warning that a policy seems made for another model, with the differences, if most of its site rules match nothing.
/// `matched[i]` are the sites that rule i matches, whether or not a later rule overrides it there; `names` are the
/// names of `sites`.
std::vector<Finding> rule_findings(const Policy& policy, const std::vector<std::vector<int>>& matched,
                                   std::span<const SiteKey> sites, const SiteNames& names);

/// Warnings on native execution that was requested but is not possible. One per rule, with the number of op calls that
/// run emulated, the first of them, and the reason.
std::vector<Finding> native_findings(const Policy& policy, const Resolved& resolved, std::span<const SiteKey> sites,
                                     const SiteNames& names);

}  // namespace binade::policy
