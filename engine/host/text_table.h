// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace binade::host {

/// Rows of text whose columns line up, each as wide as its widest cell. The last column may be left out in a row.
class TextTable {
 public:
  explicit TextTable(std::size_t indent = 0) : indent_(indent) {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }

  /// One line a row, without spaces at its end.
  std::string text() const;

 private:
  std::size_t indent_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace binade::host
