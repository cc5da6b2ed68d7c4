// SPDX-License-Identifier: Apache-2.0
#include "tests/interchange/csv_rows.h"

#include <stdexcept>

namespace binade::test {

namespace {

/// Reads one cell from `at` on; leaves `at` behind it.
std::string csvCell(const std::string& text, std::size_t& at) {
  std::string cell;
  if (at < text.size() && text[at] == '"') {
    for (++at;; ++at) {
      if (at >= text.size()) throw std::runtime_error("a quote that does not end");
      if (text[at] != '"') {
        cell += text[at];
      } else if (at + 1 < text.size() && text[at + 1] == '"') {
        cell += text[++at];
      } else {
        ++at;
        return cell;
      }
    }
  }
  for (; at < text.size() && text[at] != ',' && text[at] != '\r' && text[at] != '\n'; ++at) {
    if (text[at] == '"') throw std::runtime_error("a quote in a cell without quotes");
    cell += text[at];
  }
  return cell;
}

std::vector<std::string> csvLine(const std::string& text, std::size_t& at) {
  std::vector<std::string> cells{csvCell(text, at)};
  while (at < text.size() && text[at] == ',') cells.push_back(csvCell(text, ++at));
  if (text.compare(at, 2, "\r\n") != 0) throw std::runtime_error("a row does not end with CR LF");
  at += 2;
  return cells;
}

}  // namespace

std::vector<CsvRow> csvRows(const std::string& text) {
  std::size_t at = 0;
  const std::vector<std::string> header = csvLine(text, at);
  std::vector<CsvRow> rows;
  while (at < text.size()) {
    const std::vector<std::string> cells = csvLine(text, at);
    if (cells.size() != header.size()) throw std::runtime_error("a row with another number of cells");
    CsvRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i) row[header[i]] = cells[i];
  }
  return rows;
}

}  // namespace binade::test
