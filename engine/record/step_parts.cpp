// SPDX-License-Identifier: Apache-2.0
#include "engine/record/step_parts.h"

#include "engine/formats/error.h"

#include <algorithm>

namespace binade::record {

PartPositions::PartPositions(const Database& database, const std::string& table, std::int64_t after, Statistics which) {
  if (which == Statistics::kNone) return;
  const char* order =
      which == Statistics::kNewest ? " WHERE seq > ?1 ORDER BY seq DESC LIMIT 1" : " WHERE seq > ?1 ORDER BY seq";
  try {
    Statement row(database, "SELECT DISTINCT seq FROM " + table + order);
    row.query(after);
    while (row.next()) positions_.push_back(row.integer(0));
    known_ = true;
  } catch (const Error&) {
    // The table is damaged. Looking up a step reports what of it cannot be read.
  }
}

bool PartPositions::has(std::int64_t seq) const {
  return !known_ || std::binary_search(positions_.begin(), positions_.end(), seq);
}

}  // namespace binade::record
