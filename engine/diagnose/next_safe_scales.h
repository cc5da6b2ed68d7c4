// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"
#include "engine/wire/diagnosis.h"

#include <optional>

namespace binade::diagnose {

/// Returns the safe loss scales of the next step. Its batch is run at the highest finite scale, where the least is
/// lost. Works with or without an enabled scaler. nullopt for a run with several scalers, or if the batch is not
/// finite. Costs about eight steps and leaves the training unchanged.
std::optional<wire::ScaleBand> band_of_next_step(train::Training& training);

}  // namespace binade::diagnose
