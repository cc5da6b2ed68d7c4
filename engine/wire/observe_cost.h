// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace binade::wire {

/// What looking at values costs a training, measured while it goes on: neighbouring steps of which one was looked at
/// and the other was not (bare) are held against each other, so that whatever else slows the machine meets both.
/// Ratios of wall time; replays of steps that were not finite are not in them. Counts from the last change of how the
/// run is observed.
struct ObserveCost {
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
  std::int64_t pairs = 0;  ///< of neighbouring steps
  double observed = 0;     ///< share of the steps that were looked at, 0..1
  double step_ratio = 1;   ///< a step that is looked at ÷ a bare one; the median
  double ratio = 1;        ///< training as it is ÷ without any look: what `observed` and `step_ratio` come to
  double low = 1;          ///< 95 % interval of `ratio`
  double high = 1;
  friend bool operator==(const ObserveCost&, const ObserveCost&) = default;
};

/// Whether the figure says anything: its interval is at most ten percent wide, or leaves no doubt that observing costs
/// time. Else the run is too short, or its steps too uneven.
inline bool is_known(const ObserveCost& cost) {
  constexpr double kWidest = 0.1;
  return cost.low > 1 || cost.high - cost.low <= kWidest;
}

}  // namespace binade::wire
