// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/scaler_options.h"

namespace binade::scaler {

/// What update() makes of `state`, computed on the host: the rule of at::_amp_update_scale_ with its roundings, within
/// the limits of `options` (their scale, factors and interval are not looked at: `state` has its own). For those who
/// already know `found_inf` and do not want to wait for the device to hear the new scale.
State after_update(const State& state, bool found_inf, const Options& options = {});

}  // namespace binade::scaler
