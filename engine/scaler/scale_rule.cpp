// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/scale_rule.h"

#include <cmath>

namespace binade::scaler {

State after_update(const State& state, bool found_inf) {
  State next = state;
  const auto scale = static_cast<double>(static_cast<float>(state.scale));  // the scale is a float32 tensor
  next.scale = scale;
  if (found_inf) {
    next.scale = static_cast<double>(static_cast<float>(scale * state.backoff_factor));
    next.growth_tracker = 0;
    return next;
  }
  ++next.growth_tracker;
  if (next.growth_tracker != state.growth_interval) return next;  // equality, as upstream
  const auto grown = static_cast<float>(scale * state.growth_factor);
  if (std::isfinite(grown)) next.scale = static_cast<double>(grown);
  next.growth_tracker = 0;
  return next;
}

}  // namespace binade::scaler
