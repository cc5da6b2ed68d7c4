// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/replay_experiments.h"
#include "engine/wire/diagnosis.h"

#include <vector>

namespace binade::diagnose {

/// Tries the op calls of the first causes in float32, then in bfloat16, at the scales at which experiments start: the
/// alternatives to a lower scale. Adds two attempts to the evidence, with their safe scales, and leaves the scales as
/// they are. Tries nothing in a run with several scalers, or if a first cause is no op call or there are many of them.
void try_other_formats(ReplayExperiments& experiments, const std::vector<wire::Root>& roots);

}  // namespace binade::diagnose
