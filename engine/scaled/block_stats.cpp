// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/block_stats.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace binade::scaled {

void BlockStats::add(const BlockStats& other) {
  values += other.values;
  non_finite += other.non_finite;
  non_zero += other.non_zero;
  to_zero += other.to_zero;
  saturated += other.saturated;
  blocks += other.blocks;
  zero_blocks += other.zero_blocks;
  dead_blocks += other.dead_blocks;
  outlier_blocks += other.outlier_blocks;
  for (std::size_t i = 0; i < scales.size(); ++i) scales[i] += other.scales[i];
  largest = std::max(largest, other.largest);
  signal += other.signal;
  noise += other.noise;
  error += other.error;
}

double BlockStats::snr_db() const {
  if (signal == 0) return std::numeric_limits<double>::quiet_NaN();
  return 10 * std::log10(signal / noise);
}

double stale_doublings(const BlockStats& stats, Element element, float multiply) {
  if (stats.largest == 0) return std::numeric_limits<double>::quiet_NaN();
  return std::log2(static_cast<double>(stats.largest) * multiply / layout(element).largest);
}

}  // namespace binade::scaled
