// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/formats/tensor_stats.h"

#include <QString>

namespace binade::views {

/// What a format would do to a tensor: shares of its non-zero values, adding up to 1 (all 0 for a tensor of zeros).
struct Shares {
  double zero = 0;
  double subnormal = 0;
  double normal = 0;
  double overflow = 0;
  /// Infinities and NaN that were there already: no overflow of this format. Of a tensor seen after it was rounded the
  /// infinities may have been finite values: they are in `overflow` then, which is a bound.
  double notFinite = 0;
  bool overflowIsBound = false;  ///< `overflow` is an upper bound

  /// Between which the share really lies; equal where the statistics tell it exactly.
  struct Between {
    double low = 0;
    double high = 0;
    bool exact() const { return low == high; }
    /// A bound that leaves open nearly everything is none.
    bool saysNothing() const { return !exact() && high - low > kMostOpen; }
    static constexpr double kMostOpen = 0.9;
  };
  Between zeroRange, subnormalRange, normalRange, overflowRange;
  Between zeroNorm;  ///< share of the tensor's norm that the values which become 0 carry
  bool exact() const { return zeroRange.exact() && subnormalRange.exact() && overflowRange.exact(); }
};

/// `0.31 %`, `≤ 0.31 %`, `0.12 … 0.31 %`; `–` where the bounds say nothing.
QString betweenText(const Shares::Between& between);

/// Shares from a histogram by binades, after multiplying all values by 2^shift.
/// An overflow limit that lies inside a binade (65,520 in 2^15..2^16) cannot split its bin. Such a bin counts as normal
/// where the largest magnitude shows that none of it overflows, else as overflow, whole: a loss may be shown too great,
/// and says so, but not too small. The underflow limit is the lower end of its bin (2^-25 for float16); values of
/// exactly that are counted as subnormal. Where the statistics tell it exactly (formats::effect_of) that is taken.
Shares sharesOf(const formats::TensorStats& stats, const formats::Format& format, int shift = 0);

}  // namespace binade::views
