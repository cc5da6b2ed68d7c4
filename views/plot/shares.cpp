// SPDX-License-Identifier: Apache-2.0
#include "views/plot/shares.h"

#include <cmath>

namespace binade::views {

Shares sharesOf(const formats::TensorStats& stats, const formats::Format& format, int shift) {
  Shares shares;
  if (stats.count <= stats.zero) return shares;
  const auto all = static_cast<double>(stats.count - stats.zero);
  const double limit = format.overflow_limit();
  const double underflow = format.underflow_limit();
  const bool reachesLimit = std::ldexp(static_cast<double>(stats.largest), shift) >= limit;

  double zero = 0, subnormal = 0, normal = 0, overflow = 0;
  for (int i = 0; i < formats::kBinades; ++i) {
    const double values = stats.binades[static_cast<std::size_t>(i)];
    if (values == 0) continue;
    const int exponent = formats::kFirstBinade + i + shift;
    const double low = std::ldexp(1.0, exponent);
    const bool straddles = low < limit && limit < 2 * low;
    if (low >= limit || (straddles && reachesLimit)) {
      overflow += values;
      shares.overflowIsBound = shares.overflowIsBound || straddles;
    } else if (2 * low <= underflow) {
      zero += values;
    } else if (exponent < format.min_exponent()) {
      subnormal += values;
    } else {
      normal += values;
    }
  }
  overflow += static_cast<double>(stats.non_finite());
  shares.zero = zero / all;
  shares.subnormal = subnormal / all;
  shares.normal = normal / all;
  shares.overflow = overflow / all;
  return shares;
}

}  // namespace binade::views
