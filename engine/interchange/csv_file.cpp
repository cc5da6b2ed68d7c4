// SPDX-License-Identifier: Apache-2.0
#include "engine/interchange/csv_file.h"

#include "engine/formats/quoting.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace binade::interchange {

CsvFile::CsvFile(std::string path, const std::vector<std::string>& header) : file_(std::move(path)) {
  for (const std::string& each : header) text(each);
  end_row();
}

CsvFile& CsvFile::text(std::string_view value) {
  return cell(formats::csv_field(value));
}

CsvFile& CsvFile::integer(std::int64_t value) {
  return cell(std::to_string(value));
}

CsvFile& CsvFile::count(std::uint64_t value) {
  return cell(std::to_string(value));
}

CsvFile& CsvFile::number(double value) {
  if (std::isnan(value)) return cell("nan");  // to_chars also writes its sign
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return cell({text.data(), static_cast<std::size_t>(end - text.data())});
}

CsvFile& CsvFile::measured(double value) {
  return std::isnan(value) ? empty() : number(value);
}

void CsvFile::end_row() {
  row_ += "\r\n";
  file_.write(row_);
  row_.clear();
  first_ = true;
}

CsvFile& CsvFile::cell(std::string_view plain) {
  if (!std::exchange(first_, false)) row_ += ',';
  row_ += plain;
  return *this;
}

}  // namespace binade::interchange
