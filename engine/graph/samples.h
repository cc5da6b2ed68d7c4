// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace binade::graph {

/// A model that comes with the program, and what its forward takes.
struct Sample {
  std::string name;
  std::string description;
  std::vector<std::string> inputs;  ///< one SPEC an argument of forward, `float32[64,1,28,28]`
};

/// `mlp`, `cnn`, `resnet`, `transformer`, `lstm`, `control-flow`.
const std::vector<Sample>& samples();

/// Builds a sample with weights drawn from `seed`, in train mode. Throws Error{kUsage} for an unknown name.
Model make_sample(const std::string& name, std::uint64_t seed);

/// The sample that `model`, `sample:NAME`, names; null where it names a file or no sample.
const Sample* find_sample(const std::string& model);

/// Opens what a person names as a model: a TorchScript file, or `sample:NAME`, its weights drawn from `seed`.
/// Throws what Model::load and make_sample throw.
Model open_model(const std::string& model, std::uint64_t seed = 1);

}  // namespace binade::graph
