// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"
#include "engine/wire/trial.h"

#include <cstdint>
#include <exception>
#include <functional>
#include <string>

namespace binade::trial {

/// A training of a Try, and whether it was cancelled.
struct ArmRun {
  wire::TrialArm arm;
  bool cancelled = false;
};

/// Returns the training of a Try up to now, as if it had been cancelled here. Reads the weights, which takes time.
using ArmSoFar = std::function<wire::TrialArm()>;

/// Receives the number of steps made. Returns whether to go on. `so_far` is valid during the call.
using ArmWatch = std::function<bool(std::int64_t made, const ArmSoFar& so_far)>;

/// Trains `steps` steps from `first_step` under the policy in force, then evaluates on the test data. Observes nothing,
/// and reads the clock once per step. `watch` is called after each step and each batch of the evaluation. Ends early
/// where ten losses in a row are not finite, or a step throws: the reason is TrialArm::failure then. Faults of the data
/// are no failure of the policy, and are thrown: Error{kBadData}, Error{kBadFile}.
ArmRun run_arm(train::Training& training, std::int64_t first_step, std::int64_t steps, const ArmWatch& watch);

/// The text of TrialArm::failure for an exception. Rethrows the exception in flight where it says nothing about the
/// policy.
std::string failure_of(const std::exception& error);

}  // namespace binade::trial
