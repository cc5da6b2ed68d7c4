// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/judge.h"

#include "engine/lessons/split_text.h"
#include "engine/numbers/parse_number.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace binade::lessons {

namespace {

bool same_number(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::fabs(a - b) <= tolerance;
}

std::string_view without_percent(std::string_view text) {
  return text.ends_with('%') ? trimmed(text.substr(0, text.size() - 1)) : text;
}

/// Whether a number is the expected one, or the one that the lesson shows for it, rounded.
bool is_number(double number, double expected, std::string_view shown, double tolerance) {
  if (same_number(expected, number, tolerance)) return true;
  const auto rounded = numbers::parse_double(without_percent(shown));
  return std::holds_alternative<double>(rounded) && same_number(std::get<double>(rounded), number, 0);
}

/// A word without what does not change its meaning: case, a leading "the", repeated spaces, a plural's s. The names of
/// formats have several spellings.
std::string plain_word(std::string_view text) {
  static constexpr std::array<std::array<std::string_view, 2>, 16> kSpellings{{{"fp32", "float32"},
                                                                               {"float 32", "float32"},
                                                                               {"float-32", "float32"},
                                                                               {"single", "float32"},
                                                                               {"single precision", "float32"},
                                                                               {"fp16", "float16"},
                                                                               {"float 16", "float16"},
                                                                               {"float-16", "float16"},
                                                                               {"half", "float16"},
                                                                               {"half precision", "float16"},
                                                                               {"bf16", "bfloat16"},
                                                                               {"bfloat 16", "bfloat16"},
                                                                               {"bfloat-16", "bfloat16"},
                                                                               {"tf32", "tfloat32"},
                                                                               {"tfloat 32", "tfloat32"},
                                                                               {"tensorfloat32", "tfloat32"}}};
  std::string word;
  for (const char c : trimmed(text)) {
    if (c == ' ' && word.ends_with(' ')) continue;
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (word.starts_with("the ")) word.erase(0, 4);
  for (const auto& [spelling, name] : kSpellings) {
    if (word == spelling) return std::string(name);
  }
  if (word.size() > 2 && word.ends_with('s')) word.pop_back();
  return word;
}

bool same_word(std::string_view a, std::string_view b) {
  return plain_word(a) == plain_word(b);
}

/// `2,000,000` and `2 000 000` as `2000000`; any other text unchanged. A comma after 0 is a decimal one.
std::string without_groups(std::string_view text) {
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const std::size_t start = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  std::string plain(text.substr(0, start));
  std::size_t group = 0;  // digits since the last separator
  bool grouped = false;
  std::size_t i = start;
  for (; i < text.size() && text[i] != '.'; ++i) {
    if (is_digit(text[i])) {
      if (++group > 3 || (i == start && text[i] == '0')) return std::string(text);
      plain += text[i];
    } else {
      const bool separates = text[i] == ',' || text[i] == ' ';
      if (!separates || (grouped ? group != 3 : group == 0)) return std::string(text);
      grouped = true;
      group = 0;
    }
  }
  if (!grouped || group != 3) return std::string(text);
  return plain.append(text.substr(i));
}

/// Whether a person's answer is meant by a typical wrong one. A number is meant within the exercise's tolerance.
bool is_meant(const WrongAnswer& wrong, const std::variant<double, std::string>& answer, double tolerance) {
  if (wrong.answer.index() != answer.index()) return false;
  if (const auto* number = std::get_if<double>(&answer)) {
    return is_number(*number, std::get<double>(wrong.answer), wrong.text, tolerance);
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
  return number && is_number(*number, std::get<double>(exercise.answer), exercise.answer_text, exercise.tolerance);
}

Judgement judge(const Exercise& exercise, std::string_view text) {
  std::variant<double, std::string> answer = std::string(trimmed(text));
  if (std::holds_alternative<double>(exercise.answer)) {
    // What the lesson shows may be no number: `none`, `< 0.01 %`, a bit pattern.
    if (!exercise.answer_text.empty() && trimmed(text) == exercise.answer_text) {
      return {Judgement::Verdict::kRight, exercise.right};
    }
    std::string_view digits = trimmed(text);
    if (exercise.answer_text.ends_with('%')) digits = without_percent(digits);
    const auto number = numbers::parse_double(without_groups(digits));
    if (const auto* wrong = std::get_if<numbers::NotANumber>(&number)) {
      return {Judgement::Verdict::kUnreadable, wrong->message + ' ' + wrong->hint};
    }
    answer = std::get<double>(number);
  }
  if (accepts(exercise, answer)) return {Judgement::Verdict::kRight, exercise.right};
  for (const WrongAnswer& wrong : exercise.wrong) {
    if (is_meant(wrong, answer, exercise.tolerance)) return {Judgement::Verdict::kWrong, wrong.feedback};
  }
  return {Judgement::Verdict::kWrong, exercise.otherwise};
}

}  // namespace binade::lessons
