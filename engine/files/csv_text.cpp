// SPDX-License-Identifier: Apache-2.0
#include "engine/files/csv_text.h"

#include <algorithm>
#include <cstddef>

namespace binade::files {

void CsvText::skip_line_end() {
  const bool carriage_return = take('\r');
  if (take('\n') || carriage_return) ++line_at_;
}

void CsvText::stop(Fault fault) {
  fault_ = fault;
  at_ = end_;
}

bool CsvText::begin_row() {
  if (line_ != 0) skip_line_end();
  while (at_ != end_ && (*at_ == '\n' || *at_ == '\r')) skip_line_end();
  if (at_ == end_) return false;
  line_ = line_at_;
  row_ = static_cast<std::size_t>(at_ - begin_);
  return true;
}

std::string_view CsvText::field() {
  if (take('"')) {
    unquoted_.clear();
    pass_quoted(&unquoted_);
    return unquoted_;
  }
  const char* const first = at_;
  find_end();
  return {first, static_cast<std::size_t>(at_ - first)};
}

std::optional<std::int64_t> CsvText::digits() {
  constexpr std::ptrdiff_t kSafe = 18;  // as many digits always fit
  const bool negative = at_ != end_ && *at_ == '-';
  const char* const first = at_ + (negative ? 1 : 0);
  const char* next = first;
  std::int64_t value = 0;
  while (next != end_ && *next >= '0' && *next <= '9' && next - first < kSafe) value = value * 10 + (*next++ - '0');
  if (next == first || (next != end_ && !ends_field(*next))) return std::nullopt;
  at_ = next;
  return negative ? -value : value;
}

void CsvText::skip_field() {
  if (take('"')) {
    pass_quoted(nullptr);
  } else {
    find_end();
  }
}

void CsvText::pass_quoted(std::string* into) {
  while (true) {
    const char* const quote = std::find(at_, end_, '"');
    if (quote == end_) return stop(Fault::kOpenQuote);
    line_at_ += std::count(at_, quote, '\n');
    if (into != nullptr) into->append(at_, quote);
    at_ = quote + 1;
    if (!take('"')) break;  // two quotes stand for one
    if (into != nullptr) *into += '"';
  }
  if (at_ != end_ && !ends_field(*at_)) stop(Fault::kTextAfterQuote);
}

bool CsvText::more() {
  return take(separator_);
}

}  // namespace binade::files
