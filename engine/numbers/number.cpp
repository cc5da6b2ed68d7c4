// SPDX-License-Identifier: Apache-2.0
#include "engine/numbers/number.h"

#include "engine/numbers/layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace binade::numbers {

namespace {

std::uint32_t magnitude_bits(const Number& number) {
  return number.bits & (Layout(number.format).sign - 1);
}

Number negated(const Number& number) {
  return {number.format, number.bits ^ Layout(number.format).sign};
}

Number without_negative_zero(const Number& number) {
  return magnitude_bits(number) == 0 ? Number{number.format, 0} : number;
}

}  // namespace

int width(const formats::Format& format) {
  return 1 + format.exponent_bits + format.mantissa_bits;
}

Kind kind(const Number& number) {
  const Layout layout(number.format);
  const std::uint32_t magnitude = magnitude_bits(number);
  if (magnitude == 0) return Kind::kZero;
  if (magnitude > layout.largest) {
    return magnitude == layout.beyond && !number.format.finite_only ? Kind::kInfinity : Kind::kNan;
  }
  return exponent_field(number) == 0 ? Kind::kSubnormal : Kind::kNormal;
}

bool is_negative(const Number& number) {
  return (number.bits & Layout(number.format).sign) != 0;
}

int exponent_field(const Number& number) {
  return static_cast<int>(magnitude_bits(number) >> number.format.mantissa_bits);
}

std::uint32_t fraction_field(const Number& number) {
  return number.bits & ((1u << number.format.mantissa_bits) - 1);
}

double value(const Number& number) {
  return static_cast<double>(formats::decode(number.bits, number.format));
}

int binade(const Number& number) {
  return std::ilogb(value(number));
}

double ulp(const Number& number) {
  const formats::Format& format = number.format;
  switch (kind(number)) {
    case Kind::kZero:
    case Kind::kSubnormal:
      return format.smallest_subnormal();
    case Kind::kNormal:
      return std::ldexp(1.0, binade(number) - format.mantissa_bits);
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

Number next(const Number& number) {
  const Kind is = kind(number);
  if (is == Kind::kNan) return number;
  if (is == Kind::kZero) return {number.format, 1};
  if (is_negative(number)) return without_negative_zero({number.format, number.bits - 1});
  const Layout layout(number.format);
  const std::uint32_t end = number.format.finite_only ? layout.largest : layout.beyond;
  return {number.format, std::min(number.bits + 1, end)};
}

Number previous(const Number& number) {
  if (kind(number) == Kind::kNan) return number;
  return without_negative_zero(negated(next(negated(number))));
}

std::string bit_text(const Number& number) {
  std::string text;
  for (int bit = width(number.format) - 1; bit >= 0; --bit) {
    text += ((number.bits >> bit) & 1u) != 0 ? '1' : '0';
    const bool ends_field = bit == number.format.mantissa_bits || bit == width(number.format) - 1;
    if (ends_field) text += ' ';
  }
  return text;
}

std::string hex_text(const Number& number) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "0x";
  for (int digit = (width(number.format) + 3) / 4 - 1; digit >= 0; --digit) {
    text += kDigits[(number.bits >> (4 * digit)) & 0xfu];
  }
  return text;
}

}  // namespace binade::numbers
