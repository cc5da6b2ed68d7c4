// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/policy/policy.h"
#include "engine/search/evidence.h"
#include "engine/train/training.h"

#include <cstdint>

namespace binade::tuning {

/// Measures what the next step of `training` tells about its op calls under `policy`: in a comparison with float32, an
/// observed pass, three timed passes and a forward that counts casts. `step` is that step's number. Ranges and losses
/// refer to `candidate`, the format that op calls may be given. Op calls that no rule can cast (views, results without
/// floating-point values) and those that did not run are left out. On a GPU, `seconds` of an op call are launch times.
///
/// A policy that fails in the step, for example at an op call that its list bans, is measured as float32 throughout
/// with the decisions of the policy.
///
/// No optimizer step is taken. The training is left bit for bit as it was, also after an exception. Throws what a step
/// in float32 throws. Use on the training's thread.
search::StepEvidence measure(train::Training& training, const policy::Policy& policy, std::int64_t step,
                             const formats::Format& candidate);

}  // namespace binade::tuning
