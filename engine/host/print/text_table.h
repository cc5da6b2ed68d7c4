// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace binade::host {

/// Rows of text in aligned columns, each as wide as its widest cell. Rows may have fewer cells than others.
class TextTable {
 public:
  explicit TextTable(std::size_t indent = 0) : indent_(indent) {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }

  /// Returns one line per row, without trailing spaces.
  std::string text() const;

 private:
  std::size_t indent_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace binade::host
