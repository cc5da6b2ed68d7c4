// SPDX-License-Identifier: Apache-2.0
#include "engine/train/data/csv.h"

#include "engine/formats/error.h"
#include "engine/train/data/bytes.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>

namespace binade::train {

namespace {

/// Goes through a text line by line, field by field (RFC 4180).
class Lines {
 public:
  Lines(std::string_view text, char separator) : text_(text), separator_(separator) {}

  /// The next line's fields; false at the end. A field in quotes may hold line ends. Empty lines are passed over.
  bool next(std::vector<std::string_view>& fields) {
    fields.clear();
    while (!text_.empty() && (text_.front() == '\n' || text_.front() == '\r')) skip_line_end();
    if (text_.empty()) return false;
    line_ = line_at_;
    unquoted_.clear();
    do {
      fields.push_back(field());
    } while (take(separator_));
    skip_line_end();
    return true;
  }
  /// Number of the line that next() gave, from 1.
  std::int64_t line() const { return line_; }
  /// Whether a quoted field did not end.
  bool open_quote() const { return open_quote_; }
  std::string_view rest() const { return text_; }

 private:
  bool take(char wanted) {
    if (text_.empty() || text_.front() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }

  void skip_line_end() {
    take('\r');
    if (take('\n')) ++line_at_;
  }

  std::string_view field() {
    if (take('"')) return quoted();
    const std::size_t end = std::min(text_.find_first_of(ends_), text_.size());
    const std::string_view found = text_.substr(0, end);
    text_.remove_prefix(end);
    return found;
  }

  std::string_view quoted() {
    std::string value;
    while (true) {
      const std::size_t end = text_.find('"');
      if (end == std::string_view::npos) {
        open_quote_ = true;
        text_ = {};
        return {};
      }
      value += text_.substr(0, end);
      line_at_ += std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(end), '\n');
      text_.remove_prefix(end + 1);
      if (!take('"')) break;  // two quotes stand for one
      value += '"';
    }
    return unquoted_.emplace_back(std::make_unique<std::string>(std::move(value))).operator*();
  }

  std::string_view text_;
  char separator_;
  std::string ends_{separator_, '\n', '\r'};
  std::int64_t line_ = 0;
  std::int64_t line_at_ = 1;
  bool open_quote_ = false;
  std::vector<std::unique_ptr<std::string>> unquoted_;
};

char separator_of(std::string_view first_line) {
  char best = ',';
  for (const char each : {';', '\t'}) {
    if (std::count(first_line.begin(), first_line.end(), each) >
        std::count(first_line.begin(), first_line.end(), best)) {
      best = each;
    }
  }
  return best;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

template <class T>
std::optional<T> number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> truth(std::string_view text) {
  if (text == "true" || text == "True" || text == "TRUE") return 1;
  if (text == "false" || text == "False" || text == "FALSE") return 0;
  return std::nullopt;
}

/// The values of one column: whole ones until one is not.
class Values {
 public:
  /// False where the text is no number.
  bool add(std::string_view text) {
    if (whole_) {
      auto value = number<std::int64_t>(text);
      if (!value) value = truth(text);
      if (value) {
        integers_.push_back(*value);
        return true;
      }
    }
    auto value = number<double>(text);
    if (!value && truth(text)) value = static_cast<double>(*truth(text));
    if (!value) return false;
    if (whole_) {
      reals_.assign(integers_.begin(), integers_.end());
      integers_ = {};
      whole_ = false;
    }
    reals_.push_back(*value);
    return true;
  }

  at::Tensor tensor() const { return whole_ ? copied(integers_, at::kLong) : copied(reals_, at::kDouble); }

 private:
  template <class T>
  static at::Tensor copied(const std::vector<T>& values, at::ScalarType dtype) {
    at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size())}, dtype);
    std::copy(values.begin(), values.end(), tensor.mutable_data_ptr<T>());
    return tensor;
  }

  bool whole_ = true;
  std::vector<std::int64_t> integers_;
  std::vector<double> reals_;
};

class CsvFile : public ArrayFile {
 public:
  explicit CsvFile(const std::string& file) : file_(file), bytes_(map_file(file)) {
    text_ = bytes_.text();
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);  // UTF-8's byte order mark
    separator_ = separator_of(text_.substr(0, text_.find('\n')));
    Lines lines(text_, separator_);
    std::vector<std::string_view> fields;
    if (!lines.next(fields)) refuse("is empty: a CSV file begins with a line of column names");
    std::set<std::string> seen;
    bool numbers_only = true;
    for (const std::string_view each : fields) {
      const std::string name(trimmed(each));
      numbers_only = numbers_only && number<double>(name);
      if (!seen.insert(name).second) refuse("has two columns called \"" + name + "\"");
      names_.push_back(name);
    }
    if (numbers_only) refuse("has no column names: its first line holds numbers only");
  }

  const std::vector<std::string>& names() const override { return names_; }

  std::map<std::string, at::Tensor> read(const std::vector<std::string>& names) override {
    std::vector<std::size_t> wanted;
    for (const std::string& name : names) {
      wanted.push_back(static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin()));
    }
    std::vector<Values> values(names.size());
    Lines lines(text_, separator_);
    std::vector<std::string_view> fields;
    lines.next(fields);
    bool any = false;
    while (lines.next(fields)) {
      any = true;
      const std::string line = "line " + std::to_string(lines.line());
      if (lines.open_quote()) refuse("ends inside the quotes that open in " + line);
      if (fields.size() != names_.size()) {
        refuse("has " + std::to_string(fields.size()) + " fields in " + line + ", but " +
               std::to_string(names_.size()) + " columns");
      }
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        const std::string_view field = trimmed(fields[wanted[i]]);
        if (values[i].add(field)) continue;
        const std::string where = line + ", column \"" + names[i] + "\"";
        if (field.empty()) refuse("is empty in " + where);
        refuse("holds \"" + std::string(field.substr(0, 40)) + "\" in " + where + ", which is no number");
      }
    }
    if (!any) refuse("has a line of column names, and no line of numbers below it");
    std::map<std::string, at::Tensor> arrays;
    for (std::size_t i = 0; i < names.size(); ++i) arrays.emplace(names[i], values[i].tensor());
    return arrays;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorCode::kBadFile, file_ + " " + why,
                "Each line has one number for each name in the first line; missing values have to be filled in or left "
                "out beforehand.");
  }

  std::string file_;
  Bytes bytes_;
  std::string_view text_;
  char separator_ = ',';
  std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<ArrayFile> open_csv(const std::string& file) {
  return std::make_unique<CsvFile>(file);
}

}  // namespace binade::train
