// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/train/training.h"

namespace binade::evidence {

/// Measures what the optimizer's next step will do to every parameter, and to sums that it keeps in a 16-bit format:
/// how many updates are lost in the stored format, exactly. Steps copies, in parts, with the optimizer's own
/// arithmetic, once in the parameter's dtype and once in float64. The second is skipped unless the first leaves open
/// whether a notable part is lost. Gradients must be those that the optimizer will use. Parameters without a dense
/// gradient are left out. The training is unchanged. Synchronises with the device.
void measure_lost_updates(train::Training& training, silent::Evidence& evidence);

}  // namespace binade::evidence
