// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/round_kernel.h"

#include "engine/formats/clones.h"

#include <bit>
#include <cmath>

namespace binade::formats {

namespace {

constexpr std::uint32_t kMagnitude = 0x7fffffffu;
constexpr std::uint32_t kInfinity = 0x7f800000u;
constexpr std::uint32_t kQuiet = 0x00400000u;

std::uint32_t bits_of(double value) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

/// Rounds one value, without branches so that the loop around it vectorises.
inline float round_one(float value, const Rounder::Constants& c) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & kMagnitude;
  // Normal values: to nearest, ties to even, on the pattern; a carry correctly increments the exponent.
  const std::uint32_t normal = (magnitude + c.half + ((magnitude >> c.drop) & c.odd)) & c.keep;
  // Subnormal values: the addition rounds to the spacing of `magic`, ties to even. Neither the result nor an operand
  // that affects it is a subnormal float32, so flush-to-zero does not change it.
  const float shifted = (std::bit_cast<float>(magnitude) + c.magic) - c.magic;
  std::uint32_t rounded = magnitude < c.smallest_normal ? std::bit_cast<std::uint32_t>(shifted) : normal;
  rounded = rounded > c.largest ? c.beyond : rounded;
  rounded = magnitude > kInfinity ? (magnitude & c.keep) | c.nan : rounded;
  return std::bit_cast<float>(rounded | (bits & ~kMagnitude));
}

BINADE_CLONES void round_all(const float* __restrict from, float* __restrict to, std::size_t count,
                             const Rounder::Constants& constants) {
  const Rounder::Constants c = constants;
  for (std::size_t i = 0; i < count; ++i) to[i] = round_one(from[i], c);
}

BINADE_CLONES void round_in_place(float* values, std::size_t count, const Rounder::Constants& constants) {
  const Rounder::Constants c = constants;
  for (std::size_t i = 0; i < count; ++i) values[i] = round_one(values[i], c);
}

}  // namespace

Rounder::Rounder(const Format& format, Overflow overflow)
    : identity_(format == kFloat32 && overflow == Overflow::kInfinity) {
  const auto drop = static_cast<std::uint32_t>(kFloat32.mantissa_bits - format.mantissa_bits);
  constants_.drop = drop;
  constants_.odd = drop == 0 ? 0 : 1;
  constants_.half = drop == 0 ? 0 : (1u << (drop - 1)) - 1;
  constants_.keep = ~((1u << drop) - 1);
  // With float32's exponents the format's spacing is a multiple of float32's everywhere, also among subnormals.
  const bool own_subnormals = format.exponent_bits < kFloat32.exponent_bits;
  constants_.smallest_normal = own_subnormals ? bits_of(format.smallest_normal()) : 0;
  constants_.magic = own_subnormals ? std::ldexp(1.0F, format.subnormal_exponent() + kFloat32.mantissa_bits) : 0.0F;
  constants_.largest = bits_of(format.largest());
  // The one NaN of a finite-only format has all mantissa bits set.
  constants_.nan =
      kInfinity | kQuiet | (format.finite_only && !format.all_finite ? (kQuiet * 2 - 1) & constants_.keep : 0);
  constants_.beyond = overflow == Overflow::kSaturate || format.all_finite ? constants_.largest
                      : format.finite_only                                 ? constants_.nan
                                                                           : kInfinity;
}

void Rounder::operator()(const float* from, float* to, std::size_t count) const {
  if (from == to) {
    round_in_place(to, count, constants_);
  } else {
    round_all(from, to, count, constants_);
  }
}

}  // namespace binade::formats
