// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/evidence.h"
#include "engine/train/training.h"

#include <cstdint>
#include <stop_token>

namespace binade::tuning {

/// Trains from step `first` on, at most `steps` steps, until one is not finite or hides an overflow. Marks the op calls
/// that its diagnosis names as `overflowed`: the first causes, and those that its fix changes. Overflows that only show
/// that the loss scale is still falling are passed over. Marks nothing if no step fails so, as in a run that diverges
/// by inexact values, and if a step throws: a search may repair that too.
///
/// The training is no longer at `first` afterwards, so use one of its own. Throws Error{kCancelled} once `stop` was
/// requested.
void mark_failing_calls(train::Training& training, std::int64_t first, std::int64_t steps, const std::stop_token& stop,
                        search::StepEvidence& evidence);

}  // namespace binade::tuning
