// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/scale_rule.h"

#include "engine/lessons/figure_parts.h"

#include <cmath>

namespace binade::lessons {

DynamicScale after_step(DynamicScale state, bool overflowed) {
  if (overflowed) {
    state.scale = held(state.scale * state.backoff, formats::kFloat32);
    state.tracker = 0;
    return state;
  }
  if (++state.tracker != state.interval) return state;
  const double grown = held(state.scale * state.growth, formats::kFloat32);
  if (std::isfinite(grown)) state.scale = grown;
  state.tracker = 0;
  return state;
}

}  // namespace binade::lessons
