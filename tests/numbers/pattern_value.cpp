// SPDX-License-Identifier: Apache-2.0
#include "tests/numbers/pattern_value.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace binade::test {

double patternValue(std::uint32_t bits, const formats::Format& format) {
  const int exponentBits = format.exponent_bits;
  const int fractionBits = format.mantissa_bits;
  const int bias = (1 << (exponentBits - 1)) - 1;
  const std::uint32_t fractions = 1u << fractionBits;
  const std::uint32_t fields = 1u << exponentBits;
  const std::uint32_t fraction = bits % fractions;
  const std::uint32_t field = (bits >> fractionBits) % fields;
  const double sign = (bits >> (fractionBits + exponentBits)) % 2 == 1 ? -1 : 1;
  if (format.finite_only && !format.all_finite && field == fields - 1 && fraction == fractions - 1) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (!format.finite_only && field == fields - 1) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  }
  const double part = std::ldexp(static_cast<double>(fraction), -fractionBits);
  if (field == 0) return sign * std::ldexp(part, 1 - bias);
  return sign * std::ldexp(1 + part, static_cast<int>(field) - bias);
}

std::vector<double> finiteValues(const formats::Format& format) {
  std::vector<double> values;
  const std::uint32_t patterns = 2u << (format.exponent_bits + format.mantissa_bits);
  for (std::uint32_t bits = 0; bits < patterns; ++bits) {
    const double value = patternValue(bits, format);
    if (std::isfinite(value) && (value != 0 || !std::signbit(value))) values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  return values;
}

std::uint64_t RandomBits::next() {
  state_ += 0x9e3779b97f4a7c15u;  // SplitMix64
  std::uint64_t bits = state_;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

double RandomBits::between(int low, int high) {
  const double significand = 1 + std::ldexp(static_cast<double>(next() >> 12), -52);
  const int exponent = low + static_cast<int>(next() % static_cast<std::uint64_t>(high - low + 1));
  return std::ldexp(next() % 2 == 1 ? -significand : significand, exponent);
}

}  // namespace binade::test
