// SPDX-License-Identifier: Apache-2.0
#include "engine/files/csv.h"

#include "engine/files/csv_number.h"
#include "engine/files/csv_table.h"
#include "engine/formats/error.h"
#include "engine/formats/printable.h"

#include <algorithm>
#include <set>

namespace binade::files {

namespace {

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

class CsvFile : public ArrayFile {
 public:
  CsvFile(const std::string& file, std::size_t most_held) : most_held_(most_held) {
    source_.file = file;
    source_.bytes = map_file(file);
    source_.text = source_.bytes.text();
    if (source_.text.starts_with("\xEF\xBB\xBF")) source_.text.remove_prefix(3);  // UTF-8's byte order mark
    if (source_.text.starts_with("\xFF\xFE") || source_.text.starts_with("\xFE\xFF")) {
      throw Error(ErrorCode::kBadFile, file + " is UTF-16, but CSV files must be UTF-8", "Save the file as UTF-8.");
    }
    source_.separator = separator_of(source_.text.substr(0, source_.text.find_first_of("\r\n")));
    read_names();
  }

  const std::vector<std::string>& names() const override { return source_.names; }

  std::map<std::string, Array> read(const std::vector<std::string>& names, const Progress& progress) override {
    if (names.empty()) return {};
    std::vector<std::size_t> wanted;
    for (const std::string& name : names) {
      const auto found = std::find(source_.names.begin(), source_.names.end(), name);
      wanted.push_back(static_cast<std::size_t>(found - source_.names.begin()));
    }
    const auto table = std::make_shared<const CsvTable>(source_, wanted, most_held_, progress);
    std::map<std::string, Array> arrays;
    for (const std::size_t column : wanted) {
      Array array;
      array.dtype = table->dtype(column);
      array.shape = {table->rows()};
      array.reader = table;
      array.column = column;
      array.range = table->range(column);
      arrays.emplace(source_.names[column], std::move(array));
    }
    return arrays;
  }

 private:
  void read_names() {
    CsvText text(source_.text, source_.separator);
    if (!text.begin_row()) refuse("is empty: a CSV file starts with a line of column names");
    std::set<std::string> seen;
    bool numbers_only = true;
    do {
      const std::string name(trimmed(text.field()));
      numbers_only = numbers_only && number<double>(name);
      if (!seen.insert(name).second) refuse("has two columns named \"" + formats::printable(name) + "\"");
      source_.names.push_back(name);
    } while (text.more());
    if (text.fault() != CsvText::Fault::kNone) refuse("has invalid column names: its quotes do not match");
    if (numbers_only) refuse("has no column names: its first line has only numbers");
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorCode::kBadFile, source_.file + " " + why,
                "The first line must have the column names, each once. The other lines have numbers.");
  }

  std::size_t most_held_;
  CsvTable::Source source_;
};

}  // namespace

std::unique_ptr<ArrayFile> open_csv(const std::string& file, std::size_t most_held) {
  return std::make_unique<CsvFile>(file, most_held);
}

std::unique_ptr<ArrayFile> open_csv(const std::string& file) {
  constexpr std::size_t kMostHeld = std::size_t{1} << 23;  // values, of 8 bytes
  return open_csv(file, kMostHeld);
}

}  // namespace binade::files
