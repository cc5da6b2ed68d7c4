// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/record/rows.h"

#include <nlohmann/json.hpp>

namespace binade::record {

/// JSON in a column; a discarded value where it is none. What it must be is the caller's to say.
inline nlohmann::json json_at(const Row& row, int column) {
  return nlohmann::json::parse(row.text(column), nullptr, false);
}

}  // namespace binade::record
