// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/scale_rule.h"

#include <cmath>

namespace binade::scaler {

namespace {

double as_float(double value) {
  return static_cast<double>(static_cast<float>(value));
}

double within_limits(double scale, const Options& options) {
  // Written so that NaN passes, as in at::clamp_.
  if (options.minimum > 0 && scale < as_float(options.minimum)) return as_float(options.minimum);
  if (options.maximum > 0 && scale > as_float(options.maximum)) return as_float(options.maximum);
  return scale;
}

void count_clean(State& state, const Options& options) {
  const bool fixed = options.behaviour == Behaviour::kFixed;
  if (fixed && state.growth_interval > 0 && state.growth_tracker >= state.growth_interval) {
    state.growth_tracker = state.growth_interval - 1;  // the interval was shortened in between
  }
  ++state.growth_tracker;
  if (state.growth_tracker != state.growth_interval) return;  // equality, as in PyTorch
  const double grown = as_float(state.scale * state.growth_factor);
  if (std::isfinite(grown)) state.scale = grown;
  state.growth_tracker = 0;
}

}  // namespace

State after_update(const State& state, bool found_inf, const Options& options) {
  State next = state;
  next.scale = as_float(state.scale);  // the scale is a float32 tensor
  if (!options.dynamic) return next;
  if (!found_inf) {
    next.overflows_in_a_row = 0;
    count_clean(next, options);
  } else {
    next.growth_tracker = 0;
    if (options.hysteresis > 1) ++next.overflows_in_a_row;
    if (next.overflows_in_a_row >= options.hysteresis || options.hysteresis <= 1) {
      next.scale = as_float(next.scale * state.backoff_factor);
    }
  }
  next.scale = within_limits(next.scale, options);
  return next;
}

}  // namespace binade::scaler
