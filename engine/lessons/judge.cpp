// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/judge.h"

#include "engine/lessons/split_text.h"
#include "engine/numbers/parse_number.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace binade::lessons {

namespace {

bool same_number(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::fabs(a - b) <= tolerance;
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

/// Whether a person's answer is meant by a typical wrong one. A number is meant within the exercise's tolerance.
bool is_meant(const WrongAnswer& wrong, const std::variant<double, std::string>& answer, double tolerance) {
  if (wrong.answer.index() != answer.index()) return false;
  if (const auto* number = std::get_if<double>(&answer)) {
    return same_number(std::get<double>(wrong.answer), *number, tolerance);
  }
  return same_word(std::get<std::string>(wrong.answer), std::get<std::string>(answer));
}

}  // namespace

bool accepts(const Exercise& exercise, const std::variant<double, std::string>& answer) {
  if (const auto* words = std::get_if<std::vector<std::string>>(&exercise.answer)) {
    const auto* word = std::get_if<std::string>(&answer);
    return word &&
           std::any_of(words->begin(), words->end(), [&](const std::string& each) { return same_word(each, *word); });
  }
  const auto* number = std::get_if<double>(&answer);
  return number && same_number(std::get<double>(exercise.answer), *number, exercise.tolerance);
}

Judgement judge(const Exercise& exercise, std::string_view text) {
  std::variant<double, std::string> answer = std::string(trimmed(text));
  if (std::holds_alternative<double>(exercise.answer)) {
    const auto real = numbers::parse_real(trimmed(text));
    if (const auto* wrong = std::get_if<numbers::NotANumber>(&real)) {
      return {Judgement::Verdict::kUnreadable, wrong->message + ' ' + wrong->hint};
    }
    answer = std::get<numbers::Real>(real).nearest;
  }
  if (accepts(exercise, answer)) return {Judgement::Verdict::kRight, exercise.right};
  for (const WrongAnswer& wrong : exercise.wrong) {
    if (is_meant(wrong, answer, exercise.tolerance)) return {Judgement::Verdict::kWrong, wrong.feedback};
  }
  return {Judgement::Verdict::kWrong, exercise.otherwise};
}

}  // namespace binade::lessons
