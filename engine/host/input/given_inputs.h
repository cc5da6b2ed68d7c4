// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace binade::host {

/// Returns the SPECs to run a model with: `given`, or the sample's own if none were given. Throws Error{kUsage}, naming
/// the arguments of forward, for any other model without SPECs.
std::vector<std::string> given_inputs(const std::string& model, const std::vector<std::string>& given);

/// Returns a hint for a model that refuses randomly drawn inputs, derived from its message: targets outside [0, 1],
/// indices beyond a table. Empty for any other message.
std::string hint_on_drawn(std::string_view message);

}  // namespace binade::host
