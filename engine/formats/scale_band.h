// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/effect.h"
#include "engine/formats/tensor_stats.h"

#include <cstddef>
#include <optional>
#include <span>

namespace binade::formats {

/// Statistics of a gradient in one step, scaled: its values are multiplied by 2^log2_scale and held in `format`.
struct ScaledGradient {
  const TensorStats* stats = nullptr;
  Format format;
  double log2_scale = 0;
};

/// Loss scales that one gradient survives, as exponents of 2. At `highest` its largest magnitude does not overflow, and
/// one doubling more it does. At `lowest` at most the allowed share of its norm becomes 0, and one halving more exceeds
/// it. A limit is empty if no scale sets it; `lowest` is also empty after a scan, and if infinities hide the largest
/// magnitude.
struct GradientBand {
  std::optional<int> lowest;
  std::optional<int> highest;
  /// The gradient is censored: values lost before it was measured are not in these limits. `lowest` may be too low; if
  /// there were infinities, `highest` is below the present scale.
  bool bound = false;

  bool empty() const { return lowest && highest && *lowest > *highest; }
};

/// Band of one gradient. `lost` is the share of its norm that may become 0 (0.01: one per cent).
GradientBand band_of(const ScaledGradient& gradient, double lost);

/// Loss scales that every gradient survives, as exponents of 2, and the gradient that sets each edge.
struct SafeBand {
  std::optional<int> lowest;
  std::optional<int> highest;
  std::optional<std::size_t> lowest_from;  ///< index of the gradient that sets `lowest`
  std::optional<std::size_t> highest_from;
  bool bound = false;  ///< the limits of at least one gradient are bounds

  /// No scale suits all gradients: those of `lowest_from` and `highest_from` exclude each other.
  bool empty() const { return lowest && highest && *lowest > *highest; }
};

/// Default share of a gradient's norm that may become 0.
inline constexpr double kLostNorm = 0.01;

/// Intersection of the gradients' bands.
SafeBand safe_band(std::span<const ScaledGradient> gradients, double lost = kLostNorm);

}  // namespace binade::formats
