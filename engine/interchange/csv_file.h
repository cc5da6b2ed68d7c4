// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/interchange/new_path.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace binade::interchange {

/// A table as RFC 4180 describes it, in UTF-8: a header, commas, CR LF, quotes where needed. Numbers are the shortest
/// text that reads back to the same double; NaN and infinities are `nan`, `inf`, `-inf`. An empty cell is a value that
/// was not recorded. Throws as NewFile.
class CsvFile {
 public:
  CsvFile(std::string path, const std::vector<std::string>& header);

  CsvFile& text(std::string_view value);
  CsvFile& integer(std::int64_t value);
  CsvFile& count(std::uint64_t value);
  CsvFile& number(double value);
  CsvFile& flag(bool value) { return integer(value ? 1 : 0); }
  CsvFile& empty() { return cell({}); }
  CsvFile& measured(double value);  ///< NaN: not measured
  void end_row();
  void close() { file_.close(); }

 private:
  CsvFile& cell(std::string_view plain);

  NewFile file_;
  std::string row_;
  bool first_ = true;
};

}  // namespace binade::interchange
