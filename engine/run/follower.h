// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/ranks/shared_training.h"
#include "engine/run/listener.h"
#include "engine/run/orders.h"
#include "engine/run/step.h"
#include "engine/train/training.h"

#include <cstdint>

namespace binade::run {

/// The steps of a rank other than 0: it does what rank 0 orders. Its listener receives records and times of its own
/// part. Runs on the training thread.
class Follower {
 public:
  /// `first_step` is the next step. All arguments must outlive it.
  Follower(train::Training& training, ranks::SharedTraining& shared, std::int64_t first_step, Listener& listener);

  /// Runs until rank 0 ends the run. Throws what a step throws, and Error if ranks are missing.
  wire::Finished run();

 private:
  void apply(const Orders& orders);
  void load(const std::optional<wire::PolicySet>& policy);

  train::Training& training_;
  ranks::SharedTraining& shared_;
  Listener& listener_;
  Stepper stepper_;
  std::int64_t step_;
};

}  // namespace binade::run
