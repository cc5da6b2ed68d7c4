// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"
#include "engine/search/evidence.h"
#include "engine/train/training.h"

namespace binade::tuning {

/// Replaces the times in `evidence` by those that products and casts of the next step take on estimated_gpu() under
/// `policy`, so that a search orders its tries by what it will compare, and alike each time. Other op calls take no
/// time there. Runs one forward; the training stays as it was. Use on the training's thread.
void estimate_times(train::Training& training, const policy::Policy& policy, search::StepEvidence& evidence);

}  // namespace binade::tuning
