// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/fine_counts.h"

#include <algorithm>
#include <bit>

namespace binade::formats {

/// Implementation of fine_place(), shared by the kernels of CPU and GPU; constexpr, because nvcc compiles that for
/// both.
constexpr FinePlace place_of_magnitude(std::uint32_t magnitude) {
  constexpr int kMantissa = 23;
  constexpr std::uint32_t kFraction = (1u << kMantissa) - 1;
  constexpr std::uint32_t kLastTie = 0xdu << (kMantissa - 4);  // 1.8125: 1.1101 in binary
  const auto field = static_cast<int>(magnitude >> kMantissa);
  // A subnormal float32 has its leading one further down; the bits below it are its mantissa.
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

}  // namespace binade::formats
