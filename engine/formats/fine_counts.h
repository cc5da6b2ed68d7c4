// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <compare>
#include <cstdint>
#include <optional>

namespace binade::formats {

/// Number of steps in a binade, in ascending order. Their borders are chosen so that every limit of a format, under any
/// power-of-two scale, is the border of two steps:
/// - Step 0 is the power of two itself. It counts with the values below it, because a tie at the underflow limit rounds
///   to 0.
/// - Each other step is one count of leading ones in the mantissa, because the limits of overflow and of subnormal
///   numbers are (2 - 2^-n) times a power of two.
/// - The step of two leading ones is split after 1.8125, the tie above float8_e4m3fn's largest value.
inline constexpr int kSteps = 26;

/// First step of a binade in which all values have at least `ones` leading ones in the mantissa, for `ones` from 0 to
/// 24. No float32 has 24 leading ones: that step is kSteps.
constexpr int step_of_ones(int ones) {
  return ones <= 2 ? ones + 1 : ones + 2;
}

/// Position of a float32 magnitude: its binade and the step in it.
struct FinePlace {
  int binade = 0;
  int step = 0;
  friend constexpr auto operator<=>(const FinePlace&, const FinePlace&) = default;
};

/// Position of a finite non-zero magnitude, given as float32 bits without the sign.
FinePlace fine_place(std::uint32_t magnitude);

/// Number of values in one step of one binade.
struct FineCount {
  FinePlace place;
  std::uint64_t count = 0;
  double squares = 0;  ///< sum of the values' squares
  friend bool operator==(const FineCount&, const FineCount&) = default;
};

/// Limits of a format for values multiplied by 2^shift, each as the first place beyond the limit.
struct FineLimits {
  FinePlace not_zero;  ///< first place whose values do not become 0
  FinePlace normal;    ///< first place whose values become normal numbers
  FinePlace overflow;  ///< first place whose values overflow
};

/// Limits of `format` for values multiplied by 2^shift. Empty for a finite-only format other than float8_e4m3fn, whose
/// overflow tie would lie inside a step.
std::optional<FineLimits> fine_limits(const Format& format, int shift);

}  // namespace binade::formats
