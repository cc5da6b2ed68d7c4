// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/format.h"

#include "engine/formats/float16.h"

#include <bit>
#include <cmath>
#include <limits>

namespace binade::formats {

namespace {

// The layout of float32, the type of every value passed in or returned.
constexpr int kBias32 = 127;
constexpr int kMantissa32 = 23;
constexpr std::uint32_t kSign32 = 0x80000000u;
constexpr std::uint32_t kInfinity32 = 0x7f800000u;
constexpr std::uint32_t kQuiet32 = 0x00400000u;
constexpr std::uint32_t kHidden32 = 0x00800000u;

/// Bit patterns of a format.
struct Codes {
  std::uint32_t sign;     // the sign bit
  std::uint32_t largest;  // the largest finite value, without sign
  std::uint32_t beyond;   // the pattern after `largest`: infinity, or NaN if there is none; `largest` if neither is
  std::uint32_t nan;      // the quiet NaN; negative zero if there is none

  explicit constexpr Codes(const Format& format)
      : sign(1u << (format.exponent_bits + format.mantissa_bits)),
        largest(format.finite_only ? sign - 2 : ((1u << format.exponent_bits) - 1) << format.mantissa_bits) {
    if (format.all_finite) {
      beyond = largest = sign - 1;
      nan = sign;
    } else if (format.finite_only) {
      beyond = nan = sign - 1;
    } else {
      beyond = largest--;
      nan = beyond | (1u << (format.mantissa_bits - 1));
    }
  }
};

/// significand / 2^shift rounded to the nearest integer, ties to even; 0 <= shift <= 25, significand < 2^24.
constexpr std::uint32_t shift_right_to_even(std::uint32_t significand, int shift) {
  if (shift == 0) return significand;
  const std::uint32_t odd = (significand >> shift) & 1u;
  return (significand + (1u << (shift - 1)) - 1u + odd) >> shift;
}

/// Pattern of a float32 magnitude that is not NaN, before the overflow limit is applied. A carry out of the mantissa
/// increments the exponent, which gives the next pattern.
constexpr std::uint32_t round_magnitude(std::uint32_t magnitude, const Format& format) {
  const int field = static_cast<int>(magnitude >> kMantissa32);
  const std::uint32_t significand = (magnitude & (kHidden32 - 1)) | (field != 0 ? kHidden32 : 0u);
  const int exponent = (field != 0 ? field : 1) - kBias32;
  const int drop = kMantissa32 - format.mantissa_bits;
  if (exponent >= format.min_exponent() && field != 0) {
    const std::uint32_t rounded = shift_right_to_even(significand, drop);  // hidden bit at mantissa_bits
    return rounded + (static_cast<std::uint32_t>(exponent + format.bias() - 1) << format.mantissa_bits);
  }
  const int shift = drop + format.min_exponent() - exponent;
  return shift > 25 ? 0u : shift_right_to_even(significand, shift);
}

}  // namespace

double Format::largest() const {
  const double ulps = finite_only && !all_finite ? 2 : 1;  // below the next power of two
  return std::ldexp(2.0, max_exponent()) - std::ldexp(ulps, max_exponent() - mantissa_bits);
}

double Format::smallest_normal() const {
  return std::ldexp(1.0, min_exponent());
}

double Format::smallest_subnormal() const {
  return std::ldexp(1.0, subnormal_exponent());
}

double Format::overflow_limit() const {
  const double tie = largest() + std::ldexp(0.5, max_exponent() - mantissa_bits);
  if (!finite_only || all_finite) return tie;  // the largest pattern is odd, so the tie rounds up
  const auto nearest = static_cast<float>(tie);
  return nearest > tie ? nearest : std::nextafter(nearest, std::numeric_limits<float>::infinity());
}

double Format::underflow_limit() const {
  return smallest_subnormal() / 2;
}

bool contains(const Format& wide, const Format& narrow) {
  if (wide.all_finite && !narrow.all_finite) return false;
  if (wide.finite_only && !narrow.finite_only) return false;
  return wide.mantissa_bits >= narrow.mantissa_bits && wide.subnormal_exponent() <= narrow.subnormal_exponent() &&
         wide.largest() >= narrow.largest();
}

Format widest(const Format& a, const Format& b) {
  if (contains(a, b)) return a;
  return contains(b, a) ? b : kFloat32;
}

std::uint32_t encode(float value, const Format& format, Overflow overflow) {
  if (format == kFloat16 && overflow == Overflow::kInfinity) return float16_bits(value);
  const Codes codes(format);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits & kSign32) != 0 ? codes.sign : 0u;
  const std::uint32_t magnitude = bits & ~kSign32;
  if (magnitude > kInfinity32) {
    if (format.all_finite) return codes.nan;
    const std::uint32_t payload = (magnitude & (kHidden32 - 1)) >> (kMantissa32 - format.mantissa_bits);
    return sign | codes.nan | payload;
  }
  const std::uint32_t rounded = magnitude == kInfinity32 ? codes.beyond : round_magnitude(magnitude, format);
  if (rounded <= codes.largest) return sign | rounded;
  return sign | (overflow == Overflow::kSaturate ? codes.largest : codes.beyond);
}

float decode(std::uint32_t bits, const Format& format) {
  const Codes codes(format);
  const std::uint32_t sign = (bits & codes.sign) != 0 ? kSign32 : 0u;
  const std::uint32_t magnitude = bits & (codes.sign - 1);
  const std::uint32_t mantissa = magnitude & ((1u << format.mantissa_bits) - 1);
  const int drop = kMantissa32 - format.mantissa_bits;
  if (magnitude > codes.largest) {
    if (!format.finite_only && mantissa == 0) return std::bit_cast<float>(sign | kInfinity32);
    return std::bit_cast<float>(sign | kInfinity32 | kQuiet32 | (mantissa << drop));
  }
  const std::uint32_t field = magnitude >> format.mantissa_bits;
  if (field != 0) {
    const auto exponent = static_cast<std::uint32_t>(static_cast<int>(field) - format.bias() + kBias32);
    return std::bit_cast<float>(sign | (exponent << kMantissa32) | (mantissa << drop));
  }
  if (mantissa == 0) return std::bit_cast<float>(sign);
  // A subnormal is mantissa * 2^subnormal_exponent. If the format has float32's exponent range, it is usually a float32
  // subnormal too; with a narrower range it is a normal float32.
  const int top = 31 - std::countl_zero(mantissa);
  const int exponent = format.subnormal_exponent() + top;
  if (exponent < 1 - kBias32) return std::bit_cast<float>(sign | (mantissa << drop));
  const std::uint32_t fraction = (mantissa << (kMantissa32 - top)) & (kHidden32 - 1);
  return std::bit_cast<float>(sign | (static_cast<std::uint32_t>(exponent + kBias32) << kMantissa32) | fraction);
}

float round(float value, const Format& format, Overflow overflow) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & ~kSign32;
  const auto smallest_normal = static_cast<std::uint32_t>(format.min_exponent() + kBias32) << kMantissa32;
  const auto top = static_cast<std::uint32_t>(format.max_exponent() + kBias32) << kMantissa32;
  if (magnitude > kInfinity32 && format.all_finite) {
    const std::uint32_t keep = ~((1u << (kMantissa32 - format.mantissa_bits)) - 1);
    return std::bit_cast<float>((bits & keep) | kInfinity32 | kQuiet32);  // no pattern, so not by way of one
  }
  if (magnitude >= top) return decode(encode(value, format, overflow), format);
  // No value below the last binade can overflow. In a format with float32's exponents the spacing is a multiple of
  // float32's everywhere, also among subnormals.
  if (magnitude >= smallest_normal || smallest_normal == kHidden32) {
    const std::uint32_t quantum = 1u << (kMantissa32 - format.mantissa_bits);
    const std::uint32_t odd = (bits & quantum) != 0 ? 1u : 0u;
    const std::uint32_t rounded = quantum == 1 ? bits : (bits + quantum / 2 - 1 + odd) & ~(quantum - 1);
    return std::bit_cast<float>(rounded);
  }
  // A subnormal is a multiple of the smallest one, which is a normal float32 here, so the product is exact.
  const auto smallest = static_cast<std::uint32_t>(format.subnormal_exponent() + kBias32) << kMantissa32;
  const float rounded = static_cast<float>(round_magnitude(magnitude, format)) * std::bit_cast<float>(smallest);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(rounded) | (bits & kSign32));
}

int binade(float value) {
  const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(value) & ~kSign32;
  const auto field = static_cast<int>(magnitude >> kMantissa32);
  return field != 0 ? field - kBias32 : -118 - std::countl_zero(magnitude);
}

}  // namespace binade::formats
