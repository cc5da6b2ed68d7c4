// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <random>

namespace binade::test {

/// Changes one value somewhere in `message` as no engine would send it: another number, another type, another length.
void makeOdd(nlohmann::json& message, std::mt19937& random);

}  // namespace binade::test
