// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/formats/tensor_stats.h"

#include <QString>

namespace binade::views {

/// The effect of a format on a tensor, as shares of its non-zero values. They add up to 1 with notFinite (all 0 for a
/// tensor of zeros).
struct Shares {
  double zero = 0;
  double subnormal = 0;
  double normal = 0;
  double overflow = 0;
  /// Infinities and NaN that were present before; not an overflow of this format. In a censored tensor infinities may
  /// have been finite values; they are then counted in `overflow`, which becomes a bound.
  double notFinite = 0;
  bool overflowIsBound = false;  ///< `overflow` is an upper bound

  /// Bounds of a share; equal if the statistics determine it exactly.
  struct Between {
    double low = 0;
    double high = 0;
    bool exact() const { return low == high; }
    /// Returns whether the bounds are too wide to be useful.
    bool isTooWide() const { return !exact() && high - low > kMostOpen; }
    static constexpr double kMostOpen = 0.9;
  };
  Between zeroRange, subnormalRange, normalRange, overflowRange;
  Between zeroNorm;  ///< share of the tensor's norm in the values that become 0
  bool exact() const { return zeroRange.exact() && subnormalRange.exact() && overflowRange.exact(); }
};

/// `0.31 %`, `≤ 0.31 %`, `0.12 … 0.31 %`; `–` if the bounds are too wide.
QString betweenText(const Shares::Between& between);

/// Computes the shares from a histogram by binades, after multiplying all values by 2^shift. An overflow limit inside a
/// binade (65,520 in 2^15..2^16) cannot split its bin. The whole bin counts as normal if the largest magnitude shows
/// that nothing overflows, else as overflow: losses may be overstated, marked as a bound, but never understated. The
/// underflow limit is the lower end of its bin (2^-25 for float16); values equal to it count as subnormal. Exact
/// results of formats::effect_of() replace these where available.
Shares sharesOf(const formats::TensorStats& stats, const formats::Format& format, int shift = 0);

}  // namespace binade::views
