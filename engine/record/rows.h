// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/record/sqlite.h"

#include <cstdint>
#include <string>

// What all readers of rows share: going to a row, and refusing what no writer wrote.

namespace binade::record {

/// Throws Error{kBadFile}: the file holds what no writer wrote.
[[noreturn]] void refuse(const Database& database, const std::string& what);

/// Ends what a statement holds open, whichever way its reader leaves.
struct Reset {
  Statement& statement;
  ~Reset() { statement.reset(); }
};

/// Binds and goes to the one row that must be there.
void go_to(const Database& database, Statement& row, std::int64_t seq);

formats::Format format_at(const Database& database, const Statement& row, int column);

inline int int_at(const Statement& row, int column) {
  return static_cast<int>(row.integer(column));
}

}  // namespace binade::record
