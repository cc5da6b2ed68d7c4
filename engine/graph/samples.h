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

/// `mlp`, `cnn`, `resnet`, `transformer`.
const std::vector<Sample>& samples();

/// Builds a sample with weights drawn from `seed`, in train mode. Throws Error{kUsage} for an unknown name.
Model make_sample(const std::string& name, std::uint64_t seed);

}  // namespace binade::graph
