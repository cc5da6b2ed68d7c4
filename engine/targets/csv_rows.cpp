// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/csv_rows.h"

#include "engine/formats/error.h"
#include "engine/formats/quoting.h"

#include <utility>

namespace binade::targets {

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// Reads a text field by field. engine/files has a faster parser for tables of numbers, in a folder with LibTorch.
class CsvReader {
 public:
  CsvReader(std::string_view text, const std::string& source) : text_(text), source_(source) {
    if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  }

  std::vector<CsvRow> rows() {
    std::vector<CsvRow> rows;
    while (at_ < text_.size()) {
      CsvRow row{line_, {field()}};
      while (at_ < text_.size() && text_[at_] == ',') {
        ++at_;
        row.fields.push_back(field());
      }
      end_line();
      const bool empty = row.fields.size() == 1 && row.fields.front().empty();
      if (!empty) rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  bool ends_field() const {
    return at_ == text_.size() || text_[at_] == ',' || text_[at_] == '\n' || text_[at_] == '\r';
  }

  std::string field() {
    if (at_ < text_.size() && text_[at_] == '"') return quoted();
    const std::size_t start = at_;
    while (!ends_field()) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  std::string quoted() {
    const std::size_t opened = line_;
    std::string content;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') ++line_;
      if (text_[at_] == '"') {
        const bool doubled = at_ + 1 < text_.size() && text_[at_ + 1] == '"';
        if (!doubled) break;
        ++at_;
      }
      content += text_[at_];
    }
    if (at_ == text_.size()) fail(opened, "a quote is not closed");
    ++at_;
    if (!ends_field()) fail(line_, "text follows a closing quote");
    return content;
  }

  void end_line() {
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ < text_.size() && text_[at_] == '\n') ++at_;
    ++line_;
  }

  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw Error(ErrorCode::kBadPolicy, source_ + ": line " + std::to_string(line) + ": " + what,
                "Put a field with commas or quotes in quotes, and double the quotes in it.");
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

}  // namespace

std::string csv_row(const std::vector<std::string>& fields) {
  std::string row;
  for (std::size_t i = 0; i < fields.size(); ++i) row += (i > 0 ? "," : "") + formats::csv_field(fields[i]);
  return row + "\r\n";
}

std::vector<CsvRow> csv_rows(std::string_view text, const std::string& source) {
  return CsvReader(text, source).rows();
}

}  // namespace binade::targets
