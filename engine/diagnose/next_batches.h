// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/fix_search.h"
#include "engine/diagnose/replay_experiments.h"

#include <cstdint>

namespace binade::diagnose {

/// Number of further batches that a fix is tried on.
inline constexpr std::int64_t kNextBatches = 3;

/// Tries a fix, at the scales set in `experiments`, on the next batches too, with the current weights. If one of
/// them is not finite, rules that it needs are added, and casts of the model's own left out, as long as the step itself
/// stays finite. Scales are lowered if gradients survive that. `experiments` records the runs and holds the final
/// scales and casts. Requires a train::TrainingStateGuard. Does not advance the data.
FoundFix try_on_next_batches(ReplayExperiments& experiments, FoundFix fix, std::int64_t step);

/// Lowers the scales set in `experiments` until the next batches are finite too; fixed scales, which cannot adapt
/// later, to a quarter of that. No scale above 1 is set below 1. Returns false, without effect, if this cannot be
/// determined. Requires a train::TrainingStateGuard. Does not advance the data.
bool lower_scales_for_next_batches(ReplayExperiments& experiments);

}  // namespace binade::diagnose
