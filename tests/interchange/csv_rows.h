// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

namespace binade::test {

/// A row of a table: its cells by the names of the columns.
using CsvRow = std::map<std::string, std::string>;

/// Parses a table as RFC 4180 describes it. Throws std::runtime_error for a table that is not one: a line that does not
/// end with CR LF, a quote in a cell without quotes, a row with another number of cells than the header.
std::vector<CsvRow> csvRows(const std::string& text);

}  // namespace binade::test
