// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"

#include <cstdint>

namespace binade::formats {

/// A number of values between two bounds; exact where they are equal.
struct CountRange {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool exact() const { return low == high; }
  friend bool operator==(const CountRange&, const CountRange&) = default;
};

/// A share of a tensor's norm, |these values| / |all values| in the Euclidean norm, between two bounds. It is the
/// relative error that leaving them out makes.
struct NormRange {
  double low = 0;
  double high = 0;
  friend bool operator==(const NormRange&, const NormRange&) = default;
};

/// Values of one fate.
struct Portion {
  CountRange count;
  NormRange norm;
  friend bool operator==(const Portion&, const Portion&) = default;
};

/// What rounding a tensor to a format does to its finite non-zero values.
struct FormatEffect {
  Portion zero;                ///< they become 0
  Portion subnormal;           ///< they are held as subnormal numbers
  Portion overflow;            ///< they are beyond the format
  std::uint64_t occupied = 0;  ///< finite non-zero values in all; 0: there is nothing to say
  /// The tensor was seen after it had been rounded: zeros may have been values (`zero.count.high` has them), infinities
  /// too, and what those weighed cannot be known.
  bool censored = false;

  bool exact() const { return zero.count.exact() && subnormal.count.exact() && overflow.count.exact(); }
};

/// The effect of `format` on values multiplied by 2^shift first. Equal to a cast of the unrounded products, number by
/// number, for tensors measured at Depth::kWhatIf, and at Depth::kFormats for a named format and no shift; else bounds
/// from binades and extremes. Of a scan only bounds from the largest magnitude.
FormatEffect effect_of(const TensorStats& stats, const Format& format, int shift = 0);

}  // namespace binade::formats
