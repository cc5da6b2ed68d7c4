// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"

#include <cstdint>

namespace binade::formats {

/// A number of values, known within two bounds; exact where they are equal.
struct CountRange {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool exact() const { return low == high; }
  friend bool operator==(const CountRange&, const CountRange&) = default;
};

/// The share of some values in a tensor's Euclidean norm, |these values| / |all values|, known within two bounds. It
/// equals the relative error of setting those values to 0.
struct NormRange {
  double low = 0;
  double high = 0;
  friend bool operator==(const NormRange&, const NormRange&) = default;
};

/// The values that rounding treats alike: their number and their share of the norm.
struct Portion {
  CountRange count;
  NormRange norm;
  friend bool operator==(const Portion&, const Portion&) = default;
};

/// Effect of rounding a tensor to a format on its finite non-zero values.
struct FormatEffect {
  Portion zero;                ///< become 0
  Portion subnormal;           ///< become subnormal numbers
  Portion overflow;            ///< exceed the format's range
  std::uint64_t occupied = 0;  ///< number of finite non-zero values
  /// The tensor was measured after rounding. Its zeros and infinities may have been other values: the upper bounds
  /// `zero.count.high` and `overflow.count.high` include them. Their share of the norm is unknown.
  bool censored = false;

  bool exact() const { return zero.count.exact() && subnormal.count.exact() && overflow.count.exact(); }
};

/// Effect of `format` on the values multiplied by 2^shift. Exact, equal to counting a cast of the unrounded products,
/// for tensors measured at Depth::kWhatIf, and at Depth::kFormats for a format of kNamedFormats without a shift.
/// Otherwise bounds from binades and extremes; for a scan, from the largest magnitude alone.
FormatEffect effect_of(const TensorStats& stats, const Format& format, int shift = 0);

}  // namespace binade::formats
