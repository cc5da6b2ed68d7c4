// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/tries.h"
#include "engine/train/widen.h"

#include <cstdint>

namespace binade::train {

/// Further batches that a fix is tried on.
inline constexpr std::int64_t kFurtherBatches = 3;

/// A fix that is finite on one batch may not be on the next. Tries rules that are, at the scales that `tries` has set,
/// on the next batches of the data too, with the weights as they are; where one of them is not finite, the rules that
/// it needs are added, and casts of the model's own left out, as long as the step itself stays finite, and scales come
/// down where gradients survive that. `tries` notes what was run and has the scales and casts afterwards. While a
/// Replay::Aside lives. Takes nothing from the data.
Widened over_batches(Tries& tries, Widened fix, std::int64_t step);

/// Lowers the scales that `tries` has set to where the next batches are finite too, and those that are static, which
/// cannot come down by themselves, to a quarter of that. No scale that is above 1 is set below 1. False, and nothing is
/// changed, where that cannot be told. While a Replay::Aside lives. Takes nothing from the data.
bool scales_over_batches(Tries& tries);

}  // namespace binade::train
