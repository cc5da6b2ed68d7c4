// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"
#include "engine/train/training_state_guard.h"

#include <map>
#include <vector>

namespace binade::tuning {

/// What an op call costs in the forwards of a step.
struct SiteCosts {
  double casts = 0;         ///< copies that casts of its arguments make
  double cast_bytes = 0;    ///< bytes that they write
  double output_bytes = 0;  ///< memory of its results; 0 for views and for calls that write an argument
};

struct ForwardCosts {
  std::vector<int> order;  ///< sites that ran, in the order of their first execution
  std::map<int, SiteCosts> sites;
};

/// Runs the forwards and losses of the next step under the training's policy, without autograd. `guard` is the
/// training's, and is restored afterwards. Throws what the step throws.
ForwardCosts forward_costs(train::Training& training, train::TrainingStateGuard& guard);

}  // namespace binade::tuning
