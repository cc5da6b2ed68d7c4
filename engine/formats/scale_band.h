// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/effect.h"
#include "engine/formats/tensor_stats.h"

#include <cstddef>
#include <optional>
#include <span>

namespace binade::formats {

/// A gradient as one step showed it: values multiplied by 2^log2_scale, held in `format`.
struct ScaledGradient {
  const TensorStats* stats = nullptr;
  Format format;
  double log2_scale = 0;
};

/// Scales, as whole powers of two, at which one gradient survives: at `highest` its largest magnitude does not
/// overflow and one doubling further it does; at `lowest` no more than the allowed share of its norm becomes 0, and one
/// halving further more than that. Nothing where no scale sets a limit.
struct GradientBand {
  std::optional<int> lowest;
  std::optional<int> highest;
  /// How far below `lowest` the limit may really lie: the same with the most favourable reading of the bounds. Equal to
  /// `lowest` where the statistics are exact.
  std::optional<int> lowest_at_best;
  /// Censored: values that were lost before anybody looked are not in these limits. `lowest` may be too low; where
  /// infinities stand, `highest` lies below the present scale.
  bool bound = false;

  bool empty() const { return lowest && highest && *lowest > *highest; }
};

/// `lost`: the share of the gradient's norm that may become 0 (0.01: one per cent).
GradientBand band_of(const ScaledGradient& gradient, double lost);

/// The scales at which every gradient survives, and which of them sets each edge.
struct SafeBand {
  std::optional<int> lowest;
  std::optional<int> highest;
  std::optional<std::size_t> lowest_from;  ///< place in what was given
  std::optional<std::size_t> highest_from;
  bool bound = false;  ///< some gradient's limits are bounds

  /// No scale serves all: the two gradients named contradict each other.
  bool empty() const { return lowest && highest && *lowest > *highest; }
};

inline constexpr double kLostNorm = 0.01;

SafeBand safe_band(std::span<const ScaledGradient> gradients, double lost = kLostNorm);

}  // namespace binade::formats
