// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <compare>
#include <cstdint>
#include <optional>

namespace binade::formats {

/// A binade is cut into steps, ascending, so that whatever a format and a power-of-two scale ask of it falls between
/// two: step 0 is the power of two itself (ties of underflow go to 0, so it goes with what lies below); the others are
/// runs of leading ones in the mantissa, because the limits of overflow and of subnormal numbers lie at
/// 2 - 2^-n times a power of two; the run of two is cut once more behind 1.8125, float8_e4m3fn's last tie.
inline constexpr int kSteps = 26;

/// The first step of a binade in which all values have at least `ones` leading ones in the mantissa, 0..24; that of 24,
/// which no float32 has, is kSteps.
constexpr int step_of_ones(int ones) {
  return ones <= 2 ? ones + 1 : ones + 2;
}

/// Where a float32 magnitude lies: its binade and the step in it.
struct FinePlace {
  int binade = 0;
  int step = 0;
  friend constexpr auto operator<=>(const FinePlace&, const FinePlace&) = default;
};

/// Of a finite non-zero magnitude, as float32 bits without sign.
FinePlace fine_place(std::uint32_t magnitude);

/// Values of one step of one binade.
struct FineCount {
  FinePlace place;
  std::uint64_t count = 0;
  double squares = 0;  ///< the sum of their squares
  friend bool operator==(const FineCount&, const FineCount&) = default;
};

/// The limits of a format for values that are multiplied by 2^shift first, as the first place that lies beyond each.
struct FineLimits {
  FinePlace not_zero;  ///< the first place whose values do not become 0
  FinePlace normal;    ///< the first whose values become normal numbers
  FinePlace overflow;  ///< the first whose values are beyond the format
};

/// Nothing for a finite-only format other than float8_e4m3fn: its last tie lies inside a step.
std::optional<FineLimits> fine_limits(const Format& format, int shift);

}  // namespace binade::formats
