// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace binade::files {

/// Goes through a table in text row by row and field by field (RFC 4180): a field in double quotes may hold separators
/// and line ends, and two quotes in it stand for one. Rows end with \n, \r\n or \r; empty lines are passed over.
class CsvText {
 public:
  /// From `offset` on, which begins a line. The text outlives this.
  CsvText(std::string_view text, char separator, std::size_t offset = 0)
      : begin_(text.data()), at_(begin_ + offset), end_(begin_ + text.size()), separator_(separator) {}

  /// Goes to the first field of the next row; false at the end of the text. All fields of the row before must have been
  /// left behind.
  bool begin_row();
  /// The field here, without its quotes, and leaves it behind; valid until the next call.
  std::string_view field();
  /// The field here where it is a whole number in digits and nothing beside them, and leaves it behind; nothing, and
  /// stays, where it is not, or too long to be told at once. What most tables are made of, at a fourth of the price.
  std::optional<std::int64_t> digits();
  /// Leaves the field here behind.
  void skip_field();
  /// Whether another field follows in this row, and goes there.
  bool more();
  void skip_row() {
    do {
      skip_field();
    } while (more());
  }

  /// Of the row that began last: its line, from 1 where the text was begun with, and where it begins.
  std::int64_t line() const { return line_; }
  std::size_t offset() const { return row_; }

  /// What ended the reading: a quoted field that does not end, or goes on behind its last quote.
  enum class Fault { kNone, kOpenQuote, kTextAfterQuote };
  Fault fault() const { return fault_; }

 private:
  bool ends_field(char c) const { return c == separator_ || c == '\n' || c == '\r'; }
  bool take(char wanted) {
    if (at_ == end_ || *at_ != wanted) return false;
    ++at_;
    return true;
  }
  void skip_line_end();
  void find_end() {
    while (at_ != end_ && !ends_field(*at_)) ++at_;
  }
  /// Behind the first quote; what is inside goes to `into`, where there is one.
  void pass_quoted(std::string* into);
  void stop(Fault fault);

  const char* begin_;
  const char* at_;
  const char* end_;
  char separator_;
  std::string unquoted_;
  std::int64_t line_at_ = 1;
  std::int64_t line_ = 0;
  std::size_t row_ = 0;
  Fault fault_ = Fault::kNone;
};

}  // namespace binade::files
