// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"
#include "engine/policy/site_match.h"

#include <span>
#include <vector>

namespace binade::policy {

/// What of the table runs emulated, and native on hardware that is slow at it: a note a kind, which names formats, the
/// places in the policy that ask for them, and the op calls. `places` as resolve() takes them.
std::vector<Finding> execution_notes(const Policy& policy, const Resolved& resolved, std::span<const SiteKey> sites,
                                     std::span<const SitePlace> places, const SiteNames& names);

}  // namespace binade::policy
