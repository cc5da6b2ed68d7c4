// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"

#include <stop_token>

namespace binade::train {

/// Checks that the data matches forward's arguments. Throws Error{kBadModel}, naming the first missing or superfluous
/// input.
void check_inputs(const Training& training);

/// Runs forward and loss on the first batch without side effects; the cursor is restored. Throws Error{kBadData} for
/// NaN in the batch or labels beyond the model's classes, Error{kBadModel} naming an op that fails, Error{kBadRun} for
/// an output that the loss does not accept, and Error{kCancelled} at the next op call after a request of `stop`.
void check_first_batch(Training& training, const std::stop_token& stop);

}  // namespace binade::train
