// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/scale_band.h"

#include <cmath>

namespace binade::formats {

namespace {

/// Shifted this far in either direction, every float32 is outside every format's range.
constexpr int kFarthest = 420;

/// The smallest shift at which at most `lost` of the norm becomes 0, by the upper bound. The share
/// decreases as the shift grows, so bisection finds it.
int lowest_shift(const TensorStats& stats, const Format& format, double lost) {
  const auto fits = [&](int shift) { return effect_of(stats, format, shift).zero.norm.high <= lost; };
  int out = -kFarthest;
  int in = kFarthest;
  while (in - out > 1) {
    const int middle = out + (in - out) / 2;
    (fits(middle) ? in : out) = middle;
  }
  return in;
}

}  // namespace

GradientBand band_of(const ScaledGradient& gradient, double lost) {
  const TensorStats& stats = *gradient.stats;
  GradientBand band;
  band.bound = stats.censored;
  const double doublings = headroom(stats, gradient.format);
  if (std::isinf(doublings) && doublings > 0) return band;
  // effect_of() shifts by whole powers of two. If log2_scale has a fraction, it is rounded up for the lower limit, and
  // the upper limit is rounded down, so that the band is never too wide.
  const int present = static_cast<int>(std::floor(gradient.log2_scale));
  if (std::isinf(doublings)) {
    band.highest = present - 1;
    return band;
  }
  band.highest = static_cast<int>(std::floor(gradient.log2_scale + doublings));
  if (stats.scan) return band;
  band.lowest = static_cast<int>(std::ceil(gradient.log2_scale)) + lowest_shift(stats, gradient.format, lost);
  return band;
}

SafeBand safe_band(std::span<const ScaledGradient> gradients, double lost) {
  SafeBand safe;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const GradientBand band = band_of(gradients[i], lost);
    safe.bound = safe.bound || band.bound;
    if (band.lowest && (!safe.lowest || *band.lowest > *safe.lowest)) {
      safe.lowest = band.lowest;
      safe.lowest_from = i;
    }
    if (band.highest && (!safe.highest || *band.highest < *safe.highest)) {
      safe.highest = band.highest;
      safe.highest_from = i;
    }
  }
  return safe;
}

}  // namespace binade::formats
