// SPDX-License-Identifier: Apache-2.0
#include "engine/numbers/round_to_odd.h"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace binade::numbers {

namespace {

/// Sets the thread's rounding mode until the end of the scope.
class RoundingMode {
 public:
  explicit RoundingMode(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~RoundingMode() { std::fesetround(before_); }
  RoundingMode(const RoundingMode&) = delete;
  RoundingMode& operator=(const RoundingMode&) = delete;

 private:
  int before_;
};

/// Value of a literal in a rounding mode. std::from_chars always rounds to nearest; strtod honours the mode, and this
/// form of it ignores the program's locale.
double read_literal(const char* literal, int mode) {
  static const locale_t locale = newlocale(LC_ALL_MASK, "C", nullptr);
  const RoundingMode scope(mode);
  return strtod_l(literal, nullptr, locale);
}

}  // namespace

Real round_to_odd(const std::string& literal) {
  const bool negative = literal.starts_with('-');
  const char* magnitude = literal.c_str() + (negative ? 1 : 0);
  const double low = read_literal(magnitude, FE_TOWARDZERO);
  const double high = read_literal(magnitude, FE_UPWARD);
  const bool exact = low == high;
  // Patterns of neighbours are consecutive integers, so the odd one is `low` with its last bit set.
  const double odd = exact ? low : std::bit_cast<double>(std::bit_cast<std::uint64_t>(low) | 1u);
  return {negative ? -odd : odd, exact};
}

double round_to_nearest(const std::string& literal) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  return std::clamp(read_literal(literal.c_str(), FE_TONEAREST), -kLargest, kLargest);
}

}  // namespace binade::numbers
