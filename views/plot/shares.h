// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/formats/tensor_stats.h"

namespace binade::views {

/// What a format would do to a tensor: shares of its non-zero values, adding up to 1 (all 0 for a tensor of zeros).
/// Infinities and NaN already there count as overflow.
struct Shares {
  double zero = 0;
  double subnormal = 0;
  double normal = 0;
  double overflow = 0;
  bool zeroIsBound = false;      ///< `zero` is an upper bound
  bool overflowIsBound = false;  ///< `overflow` is an upper bound
};

/// Shares from a histogram by binades, after multiplying all values by 2^shift.
/// A limit that lies inside a binade (overflow: 65,520 in 2^15..2^16) cannot split its bin. The bin goes to the losing
/// side only if the largest (smallest) magnitude shows that a value of it does lie beyond the limit, and then whole:
/// a loss may be shown too great, and says so, but never too small.
Shares sharesOf(const formats::TensorStats& stats, const formats::Format& format, int shift = 0);

}  // namespace binade::views
