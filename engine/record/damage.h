// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace binade::record {

/// What of a run file could not be read and was left out: a line each, of which the first are kept, and their number.
class Damage {
 public:
  static constexpr std::size_t kMostKept = 20;

  /// `line` names table, row and column, and says what is wrong there.
  void add(const std::string& line) {
    if (lines_.size() < kMostKept) lines_.push_back(line);
    ++count_;
  }

  bool empty() const { return count_ == 0; }
  std::size_t count() const { return count_; }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
  std::size_t count_ = 0;
};

}  // namespace binade::record
