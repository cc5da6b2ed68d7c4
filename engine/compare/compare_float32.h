// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"
#include "engine/wire/comparison.h"

namespace binade::compare {

/// Runs the next step's batches forward and backward twice, in float32 and under the current policy, with the same
/// parameters, buffers and random state. `step` is that step's number.
///
/// The float32 run leaves out casts that the model and the losses themselves make to formats of 16 bits or fewer. If
/// the model does not run without them, they stay. `reference` describes any other deviation from float32. Weights that
/// the level keeps in float16 stay so in both runs. A model's own autocast blocks count as part of the policy. With
/// several scalers, each loss has its own scale in the policy's run and equal weight in float32, where their gradients
/// are summed.
///
/// No optimizer step is taken. Gradients, buffers, random state and data cursor are restored, also after an exception.
/// Needs memory for a float32 copy of every site's output and gradient.
wire::Float32Comparison compare_with_float32(train::Training& training, std::int64_t step);

}  // namespace binade::compare
