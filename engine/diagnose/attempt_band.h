// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/replay_experiments.h"

namespace binade::diagnose {

/// Measures the safe loss scales of the step under the newest finite attempt with exactly these rules, at the present
/// scales and left-out casts of `experiments`, and keeps them in the attempt. They say how much room the change leaves
/// and whether gradients are lost. Costs one replay, two if formats cannot be emulated. Without such an attempt, in a
/// run with several scalers, or if the replay fails, nothing is kept.
void measure_band(ReplayExperiments& experiments, const SiteRules& rules);

}  // namespace binade::diagnose
