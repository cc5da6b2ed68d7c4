// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"
#include "engine/policy/site_match.h"

#include <span>
#include <vector>

namespace binade::policy {

/// Notes on emulated execution, and on native execution that the device is slow at. One note per kind, with the
/// formats, the places in the policy that request them, and the op calls. `places` as for resolve().
std::vector<Finding> execution_notes(const Policy& policy, const Resolved& resolved, std::span<const SiteKey> sites,
                                     std::span<const SitePlace> places, const SiteNames& names);

}  // namespace binade::policy
