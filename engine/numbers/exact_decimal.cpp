// SPDX-License-Identifier: Apache-2.0
#include "engine/numbers/number.h"

#include <array>
#include <charconv>
#include <cmath>

namespace binade::numbers {

std::string exact_decimal(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  // The last digit of the smallest double, 2^-1074, is the 1074th behind the point; the largest has 309 before it.
  constexpr int kMostDecimals = 1074;
  std::array<char, 309 + kMostDecimals + 3> digits{};
  const auto written =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed, kMostDecimals);
  std::string text(digits.data(), written.ptr);
  text.resize(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace binade::numbers
