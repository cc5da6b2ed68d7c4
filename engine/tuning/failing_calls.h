// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/evidence.h"
#include "engine/train/training.h"

#include <cstdint>
#include <stop_token>

namespace binade::tuning {

/// Trains from step `first` on, at most `steps` steps, until one is not finite or hides an overflow, and marks the op
/// calls that its diagnosis names as `overflowed`: the first causes, and those that its fix changes. Overflows that
/// only show that the loss scale is still falling are passed over. Marks nothing if no step fails, which may be so for
/// a run that diverges by inexact values.
///
/// The training is no longer at `first` afterwards: use one of its own. A step that throws ends this without an error,
/// since a policy that does not run is what a search may have to mend. Throws Error{kCancelled} once `stop` was
/// requested.
void mark_failing_calls(train::Training& training, std::int64_t first, std::int64_t steps, const std::stop_token& stop,
                        search::StepEvidence& evidence);

}  // namespace binade::tuning
