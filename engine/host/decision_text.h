// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <string>
#include <utility>
#include <vector>

namespace binade::host {

/// What a call runs in, in few words: `float16 (emulated)`, `float8_e4m3fn, gradients float8_e5m2`, `promote`.
/// `inside`: as policy::SitePlace says it of the call.
std::string decision_text(const policy::Decision& decision, bool inside = false);

/// Whether a call is made of other ops that go by the policy's lists and op changes; `inside` as above.
bool is_inside(const policy::Decision& decision, bool inside);

/// Which layer of the policy decided for a call: `cuda-amp`, `ops["aten::gelu"]`, `sites[2]`, `the model's own block`.
std::string decided_by(const policy::Policy& policy, const policy::SiteKey& site, const policy::Decision& decision);

/// The words of decision_text() that are no formats and occur in a table, each with its meaning; `places` has one an
/// op call.
std::vector<std::pair<std::string, std::string>> words_of(const policy::Resolved& resolved,
                                                          const std::vector<policy::SitePlace>& places);

}  // namespace binade::host
