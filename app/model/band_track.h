// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/scale_band.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace binade::app {

/// The safe scale band at one step, and the tensors that limit it.
struct BandPoint {
  std::int64_t step = 0;
  std::optional<int> lowest;  ///< log2 of a scale; nullopt: no limit
  std::optional<int> highest;
  int lowest_tensor = -1;  ///< WatchedTensor::id
  int highest_tensor = -1;
  bool bound = false;  ///< a gradient was observed after rounding, so the edges are bounds
  int silent = 0;      ///< number of gradients that set no edge because they were all 0 or NaN

  bool empty() const { return lowest && highest && *lowest > *highest; }
};

/// The band over a whole run, from the gradients of each observed step, in bounded memory. At kMostPoints points every
/// second one is dropped, and from then on every second step is used. Computed by formats::safe_band() like the
/// engine's, so that recorded runs have it too. A value type.
class BandTrack {
 public:
  static constexpr std::size_t kMostPoints = 4096;

  using Gradients = std::vector<std::pair<int, formats::ScaledGradient>>;  ///< by WatchedTensor::id

  /// Adds a step; steps must be in order. Uses only gradients with a histogram. Adds nothing if no gradient is
  /// conclusive, since a band without edges would mean that every scale is safe.
  void add(std::int64_t step, const Gradients& gradients);
  /// Sets the band that a replay measured for a step, in place of the observed one.
  void put(std::int64_t step, std::optional<int> lowest, std::optional<int> highest, bool bound);
  void dropFrom(std::int64_t step);

  const std::vector<BandPoint>& points() const { return points_; }
  /// Returns the newest point at or before a step, or null.
  const BandPoint* at(std::int64_t step) const;

 private:
  std::vector<BandPoint> points_;
  std::int64_t every_ = 1;
  std::int64_t seen_ = 0;
};

}  // namespace binade::app
