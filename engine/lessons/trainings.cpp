// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/trainings.h"

namespace binade::lessons {

namespace {

Training training_without(RecipePart part) {
  const std::string recipe = policy::name(kRecipe);
  switch (part) {
    case RecipePart::kLossScale:
      return {.name = recipe + " without loss scaling", .policy = kRecipe, .scale = 1};
    case RecipePart::kMasterWeights:
      break;
  }
  // The engine cannot unscale float16 gradients, so this training has no loss scale either.
  return {.name = recipe + " without master weights", .policy = policy::Base::kApexO3, .scale = {}};
}

}  // namespace

std::vector<Training> trainings_of(const Experiment& experiment) {
  std::vector<Training> trainings;
  for (const policy::Base base : experiment.policies) {
    trainings.push_back({.name = policy::name(base), .policy = base, .scale = experiment.scale});
  }
  for (const RecipePart part : experiment.without) trainings.push_back(training_without(part));
  return trainings;
}

}  // namespace binade::lessons
