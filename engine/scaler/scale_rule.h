// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/scaler_options.h"

namespace binade::scaler {

/// Returns the state after update(), computed on the host: the rule of at::_amp_update_scale_ with its float32
/// roundings, within the limits of `options`. Scale, factors and interval come from `state`; those of `options` are
/// ignored. Use it where `found_inf` is known already, to avoid synchronising with the device.
State after_update(const State& state, bool found_inf, const Options& options = {});

}  // namespace binade::scaler
