// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <string>
#include <utility>
#include <vector>

namespace binade::policy {

/// Returns the format or treatment of a call in a few words: `float16 (emulated)`, `float8_e4m3fn, gradients
/// float8_e5m2`, `promote`. `inside`: see SitePlace.
std::string decision_text(const Decision& decision, bool inside = false);

/// Returns whether a call is made of other ops that follow the policy's lists and op changes. `inside`: see
/// SitePlace.
bool is_inside(const Decision& decision, bool inside);

/// Returns the layer of the policy that decided for a call: `cuda-amp`, `ops["aten::gelu"]`, `sites[2]`, `the model's
/// own block`.
std::string decided_by(const Policy& policy, const SiteKey& site, const Decision& decision);

/// Returns the treatments of decision_text() that occur in a table, each with its meaning, as a legend. Formats are
/// left out. `places` has one entry per op call.
std::vector<std::pair<std::string, std::string>> words_of(const Resolved& resolved,
                                                          const std::vector<SitePlace>& places);

}  // namespace binade::policy
