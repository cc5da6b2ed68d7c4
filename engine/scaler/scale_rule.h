// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/grad_scaler.h"

namespace binade::scaler {

/// What update() makes of `state`, computed on the host: the rule of at::_amp_update_scale_ with its roundings. For
/// those who already know `found_inf` and do not want to wait for the device to hear the new scale.
State after_update(const State& state, bool found_inf);

}  // namespace binade::scaler
