// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/lesson.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace binade::lessons {

/// One fault of a lesson file: what is wrong and the next step, as one sentence each.
struct Problem {
  std::string file;
  std::size_t line = 0;  ///< counts from 1
  std::string message;
  std::string hint;

  /// `FILE:LINE: message hint`, the form that editors recognise.
  std::string text() const;
  friend bool operator==(const Problem&, const Problem&) = default;
};

/// Reads a lesson and fills in the facts of its figures. Returns all problems of the file, in the order of their lines,
/// instead of the lesson if there is at least one. `file` is the name shown in problems. Pure; safe on any thread.
std::variant<Lesson, std::vector<Problem>> read_lesson(std::string_view text, const std::string& file);

}  // namespace binade::lessons
