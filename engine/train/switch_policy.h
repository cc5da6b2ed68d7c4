// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"

namespace binade::train {

/// Puts another policy in force between two steps: its table for the training's sites, and the training's
/// configuration. The caller reports the change to listeners.
void switch_policy(Training& training, const policy::Policy& policy, int revision);

}  // namespace binade::train
