// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace binade::targets {

/// A row of a CSV text, and the line where it starts, counted from 1.
struct CsvRow {
  std::size_t line = 1;
  std::vector<std::string> fields;
};

/// Writes one row after RFC 4180: fields with commas, quotes or line ends are quoted; the row ends with CR LF.
std::string csv_row(const std::vector<std::string>& fields);

/// All rows of a text after RFC 4180. Rows may also end with LF alone, and a byte order mark is skipped, because
/// spreadsheets write both; empty lines are skipped. Throws Error{kBadPolicy} with the line of an open quote or of text
/// after a closing one. `source` is the name of the text.
std::vector<CsvRow> csv_rows(std::string_view text, const std::string& source);

}  // namespace binade::targets
