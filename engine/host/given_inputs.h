// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace binade::host {

/// The SPECs to run a model with: those that a person gave, else the sample's own. Throws Error{kUsage} for another
/// model without any, naming what its forward takes.
std::vector<std::string> given_inputs(const std::string& model, const std::vector<std::string>& given);

}  // namespace binade::host
