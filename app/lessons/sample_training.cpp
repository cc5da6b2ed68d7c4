// SPDX-License-Identifier: Apache-2.0
#include "app/lessons/sample_training.h"

#include <algorithm>

namespace binade::app {

const std::vector<SampleTraining>& sampleTrainings() {
  // mlp and cnn train as the demo does. The deep network does not learn with SGD at any learning rate.
  static const std::vector<SampleTraining> all{
      {.name = "mlp", .pictures = true},
      {.name = "cnn", .pictures = true},
      {.name = "deep", .pictures = true, .optimizer = "adam", .learning_rate = 1e-3, .momentum = 0},
      {.name = "lstm", .pictures = true},
      {.name = "resnet", .batch = 32},
      {.name = "transformer", .batch = 32},
      {.name = "attention", .batch = 16},
      {.name = "control-flow", .output = "[0]"},
  };
  return all;
}

const SampleTraining* findSampleTraining(std::string_view name) {
  const auto& all = sampleTrainings();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const SampleTraining& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace binade::app
