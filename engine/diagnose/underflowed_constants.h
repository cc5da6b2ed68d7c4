// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/fix_search.h"
#include "engine/diagnose/lost_values.h"

namespace binade::diagnose {

/// A constant that underflowed in its format also does so in other calls of the op, where another batch may hit a 0.
/// Extends a fix that runs one such call in float32 to the other calls of the op with the same constant, if the step
/// stays finite. `lost` is of `lost_trace`; `fix` is of the step traced by `first`. Requires a
/// train::TrainingStateGuard.
void extend_to_same_constants(ReplayExperiments& experiments, FoundFix& fix, const Trace& first,
                              const Trace& lost_trace, const LostValues& lost);

}  // namespace binade::diagnose
