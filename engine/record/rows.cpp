// SPDX-License-Identifier: Apache-2.0
#include "engine/record/rows.h"

#include "engine/formats/error.h"

namespace binade::record {

void refuse(const Database& database, const std::string& what) {
  throw Error(ErrorCode::kBadFile, database.path() + ": " + what,
              "The file was changed after it was written; read it from a whole copy.");
}

void go_to(const Database& database, Statement& row, std::int64_t seq) {
  row.query(seq);
  if (!row.next()) refuse(database, "position " + std::to_string(seq) + " is not in its table");
}

formats::Format format_at(const Database& database, const Statement& row, int column) {
  const auto format = formats::parse(row.text(column));
  if (!format) refuse(database, "\"" + row.text(column) + "\" is not a number format");
  return *format;
}

}  // namespace binade::record
