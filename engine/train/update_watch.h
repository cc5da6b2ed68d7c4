// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/train/training.h"

namespace binade::train {

/// What the optimizer's next step will do to every parameter and to sums that it keeps in a 16-bit format: how many
/// updates are lost in the stored format, exactly. Steps copies, part by part, once in the parameter's own dtype and
/// once in float64, with the optimizer's own arithmetic; the second only where the first leaves it open whether a
/// notable part is lost, which of float32 parameters it hardly ever does. Training itself is left as it is. Gradients
/// are those that the optimizer is about to see. Parameters without a dense gradient are left out. Waits for the
/// device.
void foresee_updates(Training& training, silent::Evidence& evidence);

}  // namespace binade::train
