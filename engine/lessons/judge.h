// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/lesson.h"

#include <string>
#include <string_view>
#include <variant>

namespace binade::lessons {

struct Judgement {
  enum class Verdict {
    kRight,
    kWrong,
    kUnreadable,  ///< a number is asked for and the text is none
  };
  Verdict verdict = Verdict::kWrong;
  std::string feedback;  ///< the lesson's; for kUnreadable, why the text is no number and what to type
};

/// Compares a typed answer with an exercise's. A number may be written as numbers::parse_real reads it: `2^-11`,
/// `0.5`, `inf`, or as the lesson shows it; thousands may also be grouped by commas or spaces. Words are compared
/// without regard to case, spaces, a leading "the" and a plural's s, and formats have their usual other names: `FP16`,
/// `half`, `float 16`.
Judgement judge(const Exercise& exercise, std::string_view answer);

/// Whether an answer, already read, is right.
bool accepts(const Exercise& exercise, const std::variant<double, std::string>& answer);

}  // namespace binade::lessons
