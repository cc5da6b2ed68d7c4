// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace binade::test {

/// Changes rows and tables of a run file as no engine would write them. The same seed makes the same changes.
class RowChanges {
 public:
  explicit RowChanges(unsigned seed) : random_(seed) {}

  /// Makes one to three changes in the database `path`. Returns the statements that SQLite accepted; none for a file
  /// that SQLite cannot read.
  std::string change(const std::string& path);

 private:
  std::string change();
  std::string value();
  std::string rows(const std::string& table);
  std::size_t draw(std::size_t below) { return random_() % below; }
  template <class T>
  const T& one(const std::vector<T>& all) {
    return all[draw(all.size())];
  }

  std::mt19937 random_;
  std::map<std::string, std::vector<std::string>> columns_;  ///< by table
};

}  // namespace binade::test
