// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

namespace binade::host {

/// Returns a number for JSON, which has no NaN and infinity: they become strings that strtod reads.
nlohmann::ordered_json json_number(double value);

}  // namespace binade::host
