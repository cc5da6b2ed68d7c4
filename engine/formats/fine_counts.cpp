// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/fine_counts.h"

#include <algorithm>
#include <bit>

namespace binade::formats {

namespace {

constexpr int kMantissa = 23;
constexpr std::uint32_t kFraction = (1u << kMantissa) - 1;
constexpr std::uint32_t kLastTie = 0xdu << (kMantissa - 4);  // 1.8125: 1.1101 in binary

}  // namespace

FinePlace fine_place(std::uint32_t magnitude) {
  const auto field = static_cast<int>(magnitude >> kMantissa);
  // A subnormal float32 has a leading one too, further down; what follows it is its mantissa.
  const int down = field != 0 ? 0 : std::countl_zero(magnitude) - 8;
  const std::uint32_t fraction = (magnitude << down) & kFraction;
  FinePlace place;
  place.binade = (field != 0 ? field : 1 - down) - 127;
  if (fraction == 0) return place;
  const int ones = std::countl_one(fraction << (32 - kMantissa));
  place.step = step_of_ones(std::min(ones, kMantissa));
  if (ones == 2 && fraction > kLastTie) ++place.step;
  return place;
}

std::optional<FineLimits> fine_limits(const Format& format, int shift) {
  if (format.finite_only && format != kFloat8E4M3fn) return std::nullopt;
  FineLimits limits;
  limits.not_zero = {format.subnormal_exponent() - 1 - shift, 1};
  limits.normal = {format.min_exponent() - 1 - shift, step_of_ones(format.mantissa_bits)};
  limits.overflow = {format.max_exponent() - shift,
                     format.finite_only ? step_of_ones(2) + 1 : step_of_ones(format.mantissa_bits + 1)};
  return limits;
}

}  // namespace binade::formats
