// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace binade::test {

/// Why a recorded case cannot be replayed in C++; empty where it can.
std::string whySkipped(const nlohmann::json& recorded);

/// Replays a recorded case call by call. Returns the first difference in values, stages or error texts as a sentence;
/// empty where there is none. Adds the calls made to `calls`.
std::string replay(const nlohmann::json& recorded, int& calls);

}  // namespace binade::test
