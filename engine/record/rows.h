// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/error.h"
#include "engine/formats/format.h"
#include "engine/record/damage.h"
#include "engine/record/sqlite.h"
#include "engine/wire/codec.h"
#include "engine/wire/enum_text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// What all readers of rows share: finding a row, reading its values, and rejecting invalid ones.

namespace binade::record {

/// Throws Error{kBadFile}: the file holds a value that Binade never writes.
[[noreturn]] void refuse(const Database& database, const std::string& what);

/// Resets a statement on destruction, also after an exception.
struct Reset {
  Statement& statement;
  ~Reset() { statement.reset(); }
};

/// The current row of a statement. Each read checks the value against the range of its column, and throws
/// Error{kBadFile} with table, row and column if it is invalid.
class Row {
 public:
  /// `seq`: the requested position, or -1; `nth`: the index among the rows at that position, or -1 for a single row.
  Row(const Database& database, const Statement& statement, const char* table, std::int64_t seq, std::int64_t nth = -1)
      : database_(database), statement_(statement), table_(table), seq_(seq), nth_(nth) {}

  std::int64_t integer(int column) const;
  int small(int column) const;
  bool flag(int column) const { return integer(column) != 0; }
  /// Returns a count, which is stored as the bits of a signed integer.
  std::uint64_t count(int column) const { return static_cast<std::uint64_t>(integer(column)); }
  double real(int column) const;  ///< NULL: NaN
  std::optional<double> known(int column) const;
  std::string text(int column) const;
  std::string_view bytes(int column) const;  ///< valid until the next row is read
  formats::Format format(int column) const;
  bool is_null(int column) const { return statement_.is_null(column); }

  template <class Enum>
  Enum word(int column) const {
    const std::string text = this->text(column);
    const auto value = wire::from_word<Enum>(text);
    if (!value) fail(column, "\"" + text + "\" is unknown");
    return *value;
  }

  /// Returns the result of `read`. If it throws an Error, throws one that names the column too.
  template <class Read>
  auto in(int column, Read read) const {
    try {
      return read();
    } catch (const Error& error) {
      fail(column, error.what());
    }
  }

  /// Decodes a column that holds JSON.
  template <wire::Payload T>
  T json(int column) const {
    const std::string text = this->text(column);
    return in(column, [&] { return wire::decode_text<T>(text); });
  }

  [[noreturn]] void fail(int column, const std::string& what) const;

 private:
  const Database& database_;
  const Statement& statement_;
  const char* table_;
  std::int64_t seq_;
  std::int64_t nth_;
};

/// Binds `seq` and returns the single row, which must exist.
Row go_to(const Database& database, Statement& row, const char* table, std::int64_t seq);

/// Calls `read`. If it throws an Error, reports it to `damage` and returns false; rethrows it if `damage` is null.
template <class Read>
bool attempt(Damage* damage, Read read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    if (damage == nullptr) throw;
    damage->add(error.what());
    return false;
  }
}

/// Calls `read` with every row of a query. Errors are handled for each row, as in attempt().
template <class Read>
void each_row(const Database& database, Statement& statement, const char* table, std::int64_t seq, Damage* damage,
              Read read) {
  const Reset reset{statement};
  for (std::int64_t nth = 0; statement.next(); ++nth) {
    attempt(damage, [&] { read(Row(database, statement, table, seq, nth)); });
  }
}

}  // namespace binade::record
