// SPDX-License-Identifier: Apache-2.0
#include "engine/report/typography.h"

#include "engine/words/numbers.h"
#include "engine/words/scale_text.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace binade::report {

namespace {

bool is_digit(char each) {
  return each >= '0' && each <= '9';
}

/// `number` consists of digits and minus signs.
std::string superscript(std::string_view number) {
  constexpr std::array kDigits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string raised;
  for (const char each : number) raised += each == '-' ? "⁻" : kDigits.at(static_cast<std::size_t>(each - '0'));
  return raised;
}

}  // namespace

std::string power_text(int base, int exponent) {
  return std::to_string(base) + superscript(std::to_string(exponent));
}

std::string scale_label(double scale) {
  int exponent = 0;
  if (std::isfinite(scale) && scale > 0 && std::frexp(scale, &exponent) == 0.5) return power_text(2, exponent - 1);
  return words::scale_text(scale);
}

std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  return minus_signs(words::figure(value));
}

std::string minus_signs(std::string_view number) {
  std::string set;
  for (const char each : number) set += each == '-' ? std::string("−") : std::string(1, each);
  return set;
}

std::string typeset(std::string_view sentence) {
  constexpr std::string_view kPower = "2^";
  std::string set;
  std::size_t at = 0;
  for (std::size_t found = sentence.find(kPower); found != std::string_view::npos; found = sentence.find(kPower, at)) {
    std::size_t end = found + kPower.size();
    if (end < sentence.size() && sentence[end] == '-') ++end;
    const std::size_t digits = end;
    while (end < sentence.size() && is_digit(sentence[end])) ++end;
    // `12^3` is no power of two, and `2^x` has no number to raise.
    const bool is_power = end > digits && (found == 0 || !is_digit(sentence[found - 1]));
    set += sentence.substr(at, found - at);
    if (is_power) {
      set += '2' + superscript(sentence.substr(found + kPower.size(), end - found - kPower.size()));
    } else {
      set += sentence.substr(found, end - found);
    }
    at = end;
  }
  return set.append(sentence.substr(at));
}

}  // namespace binade::report
