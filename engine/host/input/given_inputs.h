// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/batches/spec.h"

#include <string>
#include <string_view>
#include <vector>

namespace binade::host {

/// Returns the SPECs to run a model with: `given`, or the sample's own if none were given. Throws Error{kUsage}, naming
/// the arguments of forward, for any other model without SPECs.
std::vector<std::string> given_inputs(const std::string& model, const std::vector<std::string>& given);

/// What to try where a model refuses what was drawn for it, by what it says: targets outside [0, 1], indices beyond a
/// table. Empty where its message speaks of something else, or nothing that it could speak of was drawn.
std::string hint_on_drawn(std::string_view message, std::vector<batches::Spec> specs);

}  // namespace binade::host
