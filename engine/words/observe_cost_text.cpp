// SPDX-License-Identifier: Apache-2.0
#include "engine/words/observe_cost_text.h"

#include <cstdio>

namespace binade::words {

std::string observe_cost_text(const std::optional<wire::ObserveCost>& measured) {
  if (!measured) return "cost of observing: too few steps to measure";
  const wire::ObserveCost& cost = *measured;
  const double every = 1 / cost.observed;
  char text[320];
  if (!wire::is_known(cost)) {
    std::snprintf(text, sizeof text,
                  "cost of observing: too few steps to measure (95 %%: %+.1f to %+.1f %%), "
                  "one step in %.3g observed, %lld pairs of steps compared",
                  (cost.low - 1) * 100, (cost.high - 1) * 100, every, static_cast<long long>(cost.pairs));
    return text;
  }
  std::snprintf(text, sizeof text,
                "observing changed the time of training by %+.1f %% (95 %%: %+.1f to %+.1f %%), "
                "one step in %.3g observed, %lld pairs of steps compared",
                (cost.ratio - 1) * 100, (cost.low - 1) * 100, (cost.high - 1) * 100, every,
                static_cast<long long>(cost.pairs));
  constexpr double kMuchLonger = 2;
  if (cost.step_ratio < kMuchLonger) return text;
  char much[120];
  std::snprintf(much, sizeof much, "; an observed step takes %.1f times as long as an unobserved one (observe.level)",
                cost.step_ratio);
  return std::string(text) + much;
}

}  // namespace binade::words
