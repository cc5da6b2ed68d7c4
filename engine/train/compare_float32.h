// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"
#include "engine/wire/comparison.h"

#include <vector>

namespace binade::train {

/// Sites by what they added themselves, forward or backward, the worst first; those that added nothing are left out.
std::vector<wire::SiteDifference> ranked(const std::vector<wire::SiteDifference>& sites);

/// Runs the next step's batches forward and backward twice, in float32 and under the policy in force, with the same
/// parameters, buffers and random state. Steps nothing; gradients, buffers, random state and the data's cursor are
/// afterwards what they were, whatever it throws. Weights that the level keeps in half stay so in both runs. A model's
/// own autocast blocks count as part of the policy. Needs room for a float32 copy of every site's output and gradient.
/// `step`: the number of that step.
wire::Float32Comparison compare_with_float32(Training& training, std::int64_t step);

}  // namespace binade::train
