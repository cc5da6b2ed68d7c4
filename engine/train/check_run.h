// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"

#include <stop_token>

namespace binade::train {

/// That the data gives forward what it needs. Throws Error{kBadModel} naming the first input that is missing or too
/// much.
void check_inputs(const Training& training);

/// Runs forward and loss on the first batch, aside, and puts the cursor back. Throws Error{kBadData} for a batch with
/// NaN or labels beyond the model's classes, Error{kBadModel} naming the op that refuses it, Error{kBadRun} for an
/// output that the loss cannot take, Error{kCancelled} at the next op call once `stop` was asked for.
void check_first_batch(Training& training, const std::stop_token& stop);

}  // namespace binade::train
