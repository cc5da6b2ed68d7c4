// SPDX-License-Identifier: Apache-2.0
#include "engine/record/rows.h"

#include "engine/wire/utf8.h"

#include <limits>

namespace binade::record {

void refuse(const Database& database, const std::string& what) {
  throw Error(ErrorCode::kBadFile, database.path() + ": " + what,
              "The file was changed after it was written. Use a complete copy.");
}

Row go_to(const Database& database, Statement& row, const char* table, std::int64_t seq) {
  row.query(seq);
  if (!row.next()) {
    refuse(database, std::string("table ") + table + ": position " + std::to_string(seq) + " is not in its table");
  }
  return {database, row, table, seq};
}

void Row::fail(int column, const std::string& what) const {
  std::string place = std::string("table ") + table_;
  if (nth_ >= 0) place += ", row " + std::to_string(nth_ + 1);
  if (seq_ >= 0) place += (nth_ >= 0 ? " of position " : ", position ") + std::to_string(seq_);
  // `what` continues the sentence (`is not a string`), or is a text of its own.
  refuse(database_, place + ", column " + statement_.column(column) + (what.starts_with("is ") ? " " : ": ") + what);
}

std::int64_t Row::integer(int column) const {
  if (statement_.type(column) != Statement::Type::kInteger) fail(column, "is not a whole number");
  return statement_.integer(column);
}

int Row::small(int column) const {
  const std::int64_t value = integer(column);
  if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
    fail(column, std::to_string(value) + " is out of range");
  }
  return static_cast<int>(value);
}

double Row::real(int column) const {
  const Statement::Type type = statement_.type(column);
  if (type == Statement::Type::kText || type == Statement::Type::kBlob) fail(column, "is not a number");
  return statement_.real(column);
}

std::optional<double> Row::known(int column) const {
  return is_null(column) ? std::nullopt : std::optional(real(column));
}

std::string Row::text(int column) const {
  if (statement_.type(column) != Statement::Type::kText) fail(column, "is not a string");
  std::string text = statement_.text(column);
  if (!wire::is_utf8(text)) fail(column, "is not UTF-8");
  return text;
}

std::string_view Row::bytes(int column) const {
  return statement_.bytes(column);
}

formats::Format Row::format(int column) const {
  const std::string name = text(column);
  const auto format = formats::parse(name);
  if (!format) fail(column, "\"" + name + "\" is not a number format");
  return *format;
}

}  // namespace binade::record
