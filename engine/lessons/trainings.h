// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/lesson.h"

#include <optional>
#include <string>
#include <vector>

namespace binade::lessons {

/// One training of an experiment.
struct Training {
  std::string name;  ///< unique in the experiment: `cuda-amp`, `apex-o2 without loss scaling`
  policy::Base policy = policy::Base::kCudaAmp;
  std::optional<double> scale;  ///< fixed loss scale; empty: the policy's own
};

/// The trainings of an experiment in their order: one for each policy, then one for each part of the recipe that is
/// switched off.
std::vector<Training> trainings_of(const Experiment& experiment);

}  // namespace binade::lessons
