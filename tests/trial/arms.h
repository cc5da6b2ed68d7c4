// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/trial.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace binade::test {

/// Losses of a training that learns, over `steps` steps: they fall from 2 to about 0.5 and vary by batch.
std::vector<double> learning(std::size_t steps);

/// `losses`, each changed by `by(step)`.
std::vector<double> changed(std::vector<double> losses, const std::function<double(std::size_t step)>& by);

/// An arm with these losses, all of whose steps counted.
wire::TrialArm armOf(std::vector<double> losses);

/// A Try of one seed whose checkpoint is that of step 1000.
wire::Trial trialOf(std::vector<double> before, std::vector<double> after, std::vector<double> noise);

/// Draws what rounding does to a loss from step to step: values of mean 0 and deviation `size`, each of which depends
/// on the one before with this correlation. The first is as large as all others.
std::vector<double> drawn(std::uint64_t seed, std::size_t steps, double size, double correlation);

}  // namespace binade::test
