// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"
#include "engine/train/training.h"
#include "engine/trial/trials.h"
#include "engine/wire/run_config.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace binade::test {

/// The sample `mlp`, which has dropout, on made-up pictures; Adam, no observation.
wire::RunConfig trialRun();

/// A run's policy with float32 for one module.
policy::Policy inFloat32(policy::Policy policy, const std::string& match);

/// Sets a training up and makes its first steps.
std::unique_ptr<train::Training> trained(const wire::RunConfig& config, std::int64_t steps);

/// Makes steps and returns their losses.
std::vector<double> lossesOf(train::Training& training, std::int64_t first, std::int64_t steps);

/// A checkpoint in a folder of its own.
std::string saved(const train::Training& training, std::int64_t step);

/// An order of few steps.
trial::Order orderOf(const policy::Policy& before, const policy::Policy& after, std::int64_t steps = 6,
                     std::int64_t seeds = 1);

}  // namespace binade::test
