// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"

namespace binade::train {

/// Puts another policy in force, between two steps: its table for the training's sites, and what the training's
/// configuration says. What a listener is to hear, and when, is the caller's.
void switch_policy(Training& training, const policy::Policy& policy, int revision);

}  // namespace binade::train
