// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/scale_band.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace binade::app {

/// The safe scale band at one step, and which tensors set its edges.
struct BandPoint {
  std::int64_t step = 0;
  std::optional<int> lowest;  ///< log2 of a scale; nothing: no limit
  std::optional<int> highest;
  int lowest_tensor = -1;  ///< WatchedTensor::id
  int highest_tensor = -1;
  bool bound = false;  ///< a gradient was seen after rounding: the edges are bounds
  int silent = 0;      ///< gradients that set no edge: all 0 or NaN, so that no scale can be told from them

  bool empty() const { return lowest && highest && *lowest > *highest; }
};

/// The band over a whole run, from the gradients that each observed step brought, in bounded memory: when there are
/// kMost points every second one goes, and from then on every second step is looked at. A plain value.
class BandTrack {
 public:
  static constexpr std::size_t kMost = 4096;

  using Gradients = std::vector<std::pair<int, formats::ScaledGradient>>;  ///< by WatchedTensor::id

  /// Steps come in order. Looks only at gradients with a histogram. Adds nothing where no gradient tells anything: a
  /// band without edges would say that every scale is safe.
  void add(std::int64_t step, const Gradients& gradients);
  /// The band that a replay of the step measured: it stands in the place of what was seen of the step.
  void put(std::int64_t step, std::optional<int> lowest, std::optional<int> highest, bool bound);
  void dropFrom(std::int64_t step);
  void clear();

  const std::vector<BandPoint>& points() const { return points_; }
  /// The newest point at or before a step.
  const BandPoint* at(std::int64_t step) const;

 private:
  std::vector<BandPoint> points_;
  std::int64_t every_ = 1;
  std::int64_t seen_ = 0;
};

}  // namespace binade::app
