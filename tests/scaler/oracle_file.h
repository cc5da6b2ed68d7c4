// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace binade::test {

/// Reads a zstd-compressed file with one JSON object a line. Throws std::runtime_error.
std::vector<nlohmann::json> readJsonLines(const std::string& file);

}  // namespace binade::test
