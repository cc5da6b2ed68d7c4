// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

#include <string>
#include <vector>

namespace binade::words {

/// Returns whether these are the one rule for every op call.
bool is_everything(const std::vector<policy::SiteRule>& rules);

/// `fc1/aten::linear#0, aten::relu#0 and 2 more in float32`; empty if there are none.
std::string rules_text(const std::vector<policy::SiteRule>& rules);

}  // namespace binade::words
