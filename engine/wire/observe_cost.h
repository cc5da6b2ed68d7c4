// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <cstdint>

namespace binade::wire {

/// Cost of observing, measured while training goes on. Neighbouring steps, one observed and one not (bare), are
/// compared, so that other load on the machine affects both. Ratios are of wall time and exclude replays of steps that
/// were not finite. Counted since the last change of what is observed.
struct ObserveCost {
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
  std::int64_t pairs = 0;  ///< number of comparisons of neighbouring steps
  double observed = 0;     ///< share of steps that were observed, 0..1
  double step_ratio = 1;   ///< time of an observed step ÷ time of a bare one; the median
  double ratio = 1;        ///< training time ÷ training time without observing, from `observed` and `step_ratio`
  double low = 1;          ///< 95 % confidence interval of `ratio`
  double high = 1;
  friend bool operator==(const ObserveCost&, const ObserveCost&) = default;
};

/// Whether a run measures the cost: it observes steps, leaves others unobserved to compare them with, and trains.
inline bool measures_cost(const RunConfig& run) {
  const ObserveConfig& observe = run.observe;
  return observe.level != "off" && (observe.measure_cost || observe.every > 1) && run.optimizer.kind != "none";
}

/// Whether the cost is known: its interval is at most 0.1 wide, or lies entirely above 1. Otherwise the run is too
/// short or its steps vary too much.
inline bool is_known(const ObserveCost& cost) {
  constexpr double kWidest = 0.1;
  return cost.low > 1 || cost.high - cost.low <= kWidest;
}

}  // namespace binade::wire
