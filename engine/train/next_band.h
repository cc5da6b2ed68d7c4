// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"
#include "engine/wire/diagnosis.h"

#include <optional>

namespace binade::train {

/// The safe loss scales of the next step, between two steps: its batch is run at the highest scale at which it is
/// finite, where the least of it is lost unseen. With or without a scaler that is enabled; nothing in a run with
/// several, or where the batch is not finite. Costs some eight steps; leaves the training as it was.
std::optional<wire::ScaleBand> band_of_next_step(Training& training);

}  // namespace binade::train
