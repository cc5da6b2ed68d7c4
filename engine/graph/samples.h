// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace binade::graph {

/// A model built into the program.
struct Sample {
  std::string name;
  std::string description;
  std::vector<std::string> inputs;  ///< one SPEC per argument of forward: `float32[64,1,28,28]`
  bool faulty = false;              ///< made for a lesson: float16 without a remedy ruins its training
};

/// All samples: `mlp`, `cnn`, `resnet`, `transformer`, `lstm`, `control-flow`, `deep`, `attention`.
const std::vector<Sample>& samples();

/// Builds a sample with weights drawn from `seed`, in train mode. Throws Error{kUsage} for an unknown name.
Model make_sample(const std::string& name, std::uint64_t seed);

/// The sample with the name in `sample:NAME`; null for a file or an unknown name.
const Sample* find_sample(const std::string& model);

/// Opens a model as the user names it: a TorchScript file, or `sample:NAME` with weights drawn from `seed`. Throws as
/// Model::load and make_sample do.
Model open_model(const std::string& model, std::uint64_t seed = 1);

}  // namespace binade::graph
