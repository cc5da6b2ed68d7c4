// SPDX-License-Identifier: Apache-2.0
#include "tests/formats/by_definition.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>

namespace binade::test {

namespace {

using formats::Format;
using formats::Overflow;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

int biasOf(const Format& format) {
  return static_cast<int>(std::pow(2.0, format.exponent_bits - 1)) - 1;
}

/// Exponent field of the largest finite value: IEEE keeps the top one for infinity and NaN.
int topField(const Format& format) {
  const int all = static_cast<int>(std::pow(2.0, format.exponent_bits)) - 1;
  return format.finite_only ? all : all - 1;
}

double largestOf(const Format& format) {
  const double ulp = std::pow(2.0, -format.mantissa_bits);
  const double significand = 2.0 - (format.finite_only && !format.all_finite ? 2.0 : 1.0) * ulp;
  return significand * std::pow(2.0, topField(format) - biasOf(format));
}

}  // namespace

double valueByDefinition(std::uint32_t bits, const Format& format) {
  const auto mantissas = static_cast<std::uint32_t>(std::pow(2.0, format.mantissa_bits));
  const auto fields = static_cast<std::uint32_t>(std::pow(2.0, format.exponent_bits));
  const std::uint32_t mantissa = bits % mantissas;
  const std::uint32_t field = bits / mantissas % fields;
  const double sign = bits / mantissas / fields % 2 == 1 ? -1.0 : 1.0;
  const double fraction = static_cast<double>(mantissa) / mantissas;
  if (format.finite_only) {
    if (!format.all_finite && field == fields - 1 && mantissa == mantissas - 1)
      return std::numeric_limits<double>::quiet_NaN();
  } else if (field == fields - 1) {
    return mantissa == 0 ? sign * kInfinity : std::numeric_limits<double>::quiet_NaN();
  }
  if (field == 0) return sign * fraction * std::pow(2.0, 1 - biasOf(format));
  return sign * (1.0 + fraction) * std::pow(2.0, static_cast<int>(field) - biasOf(format));
}

double roundedByDefinition(double value, const Format& format, Overflow overflow) {
  if (std::isnan(value)) return value;
  const double magnitude = std::fabs(value);
  const double largest = largestOf(format);
  const double beyond = overflow == Overflow::kSaturate || format.all_finite ? largest
                        : format.finite_only                                 ? std::numeric_limits<double>::quiet_NaN()
                                                                             : kInfinity;
  if (std::isinf(value)) return std::copysign(beyond, value);
  if (magnitude == 0) return value;
  // The exponent of the value, but never below the smallest normal's: subnormals share its spacing.
  int exponent = 1 - biasOf(format);
  for (double next = std::pow(2.0, exponent + 1); next <= magnitude; next *= 2) ++exponent;
  const double spacing = std::pow(2.0, exponent - format.mantissa_bits);
  const double steps = magnitude / spacing;  // exact: a power of two
  double whole = std::floor(steps);
  const double rest = steps - whole;
  if (rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2.0) == 1.0)) whole += 1.0;
  const double rounded = whole * spacing;
  return std::copysign(rounded > largest ? beyond : rounded, value);
}

bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

std::string disagreement(float value, const Format& format, Overflow overflow) {
  const double expected = roundedByDefinition(value, format, overflow);
  const double rounded = formats::round(value, format, overflow);
  const std::uint32_t bits = formats::encode(value, format, overflow);
  const double encoded = valueByDefinition(bits, format);
  const double decoded = formats::decode(bits, format);
  const bool wide = std::uint64_t{bits} >> (1 + format.exponent_bits + format.mantissa_bits) != 0;
  if (same(rounded, expected) && same(encoded, expected) && same(decoded, expected) && !wide) return {};
  char text[256];
  std::snprintf(text, sizeof text, "%s of %a (0x%08x): expected %a, round %a, encode 0x%x = %a, decode %a",
                formats::name(format).c_str(), static_cast<double>(value), std::bit_cast<std::uint32_t>(value),
                expected, rounded, bits, encoded, decoded);
  return text;
}

std::uint32_t Patterns::next() {  // splitmix64
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 32);
}

}  // namespace binade::test
