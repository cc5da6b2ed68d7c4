// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace binade::record {

/// The parts of a run file that could not be read and were skipped: their number, and messages about the first
/// kMostKept of them.
class Damage {
 public:
  static constexpr std::size_t kMostKept = 20;

  /// Adds a message, which names table, row and column and describes the fault.
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
