// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/read_lesson.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace binade::lessons {

/// Collects the problems of one file.
class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}

  void add(std::size_t line, std::string message, std::string hint) {
    all_.push_back({file_, line, std::move(message), std::move(hint)});
  }
  bool empty() const { return all_.empty(); }
  /// In the order of their lines.
  std::vector<Problem> sorted() &&;

 private:
  std::string file_;
  std::vector<Problem> all_;
};

}  // namespace binade::lessons
