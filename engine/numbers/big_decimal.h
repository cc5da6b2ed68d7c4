// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace binade::numbers {

/// A decimal number with as many digits as it needs, so that sums and products are exact. Numbers with a binary
/// exponent are finite decimals too.
class BigDecimal {
 public:
  /// Exponents of literals go from -kMostExponent to kMostExponent. This bounds the digits of a sum.
  static constexpr int kMostExponent = 2000;

  /// Value of a literal without sign as strtod() reads it: decimal, or hexadecimal with a binary exponent. Empty if the
  /// exponent is out of bounds.
  static std::optional<BigDecimal> from_literal(std::string_view literal);

  /// Exponent of such a literal, 0 if it has none. Empty if it is out of bounds.
  static std::optional<int> exponent_of(std::string_view literal);

  void negate();
  BigDecimal& operator+=(const BigDecimal& other);
  BigDecimal& operator*=(const BigDecimal& other);

  /// All digits and an exponent, as strtod() reads them: `-15e-9`.
  std::string literal() const;

 private:
  void multiply(std::uint32_t factor);
  void add_digit(std::uint32_t base, std::uint32_t digit);
  void multiply_by_power_of_ten(int power);
  void multiply_by_power_of_two(int power);
  /// Lowers `shift_` without a change of the value.
  void align(int shift);
  void trim();

  // The value is the sum of limbs_[i] * 10^(9 * (i + shift_)). The last limb is not 0; zero has none.
  std::vector<std::uint32_t> limbs_;
  int shift_ = 0;
  bool negative_ = false;
};

}  // namespace binade::numbers
