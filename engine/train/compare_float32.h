// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"
#include "engine/wire/comparison.h"

namespace binade::train {

/// Runs the next step's batches forward and backward twice, in float32 and under the policy in force, with the same
/// parameters, buffers and random state. The casts to formats of 16 bits or fewer that the model and the losses make
/// themselves are left out of the run in float32; where it is not float32 all the same, `reference` says so, and where
/// the model does not run without its casts they stay. Steps nothing; gradients, buffers, random state and the data's
/// cursor are afterwards what they were, whatever it throws. Weights that the level keeps in half stay so in both runs.
/// A model's own autocast blocks count as part of the policy. Needs room for a float32 copy of every site's output and
/// gradient. `step`: the number of that step. With several scalers each loss has the scale of its own in the policy's
/// run, and weighs as much in float32, where gradients meet that training keeps apart.
wire::Float32Comparison compare_with_float32(Training& training, std::int64_t step);

}  // namespace binade::train
