// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/trial.h"

#include <cstdint>
#include <utility>

// Figures of one training of a Try over all seeds, for its sentence and its table.

namespace binade::words {

/// The trainings of a seed with one policy: `before`, `after` or `noise`.
using Arm = wire::TrialArm wire::TrialSeed::*;

/// Mean of a figure over the seeds that know it and made a step; NaN if none does.
double mean_of(const wire::Trial& trial, Arm arm, double wire::TrialArm::*figure);
std::int64_t sum_of(const wire::Trial& trial, Arm arm, std::int64_t wire::TrialArm::*count);

/// The smallest and the largest value of a figure over the seeds that know it and made a step; NaN if none does. For a
/// figure whose mean no training had, such as a loss scale.
std::pair<double, double> range_of(const wire::Trial& trial, Arm arm, double wire::TrialArm::*figure);

/// Whether a training of these made a step. Others have no figures: the Try was cancelled, or a policy failed.
bool has_steps(const wire::Trial& trial, Arm arm);

/// Mean over the seeds of the mean loss of the last `steps` steps, or of all where fewer were made; NaN without steps.
double last_loss_of(const wire::Trial& trial, Arm arm, std::int64_t steps);

}  // namespace binade::words
