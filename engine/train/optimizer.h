// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace torch::optim {
class Optimizer;
}

namespace binade::train {

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// One of LibTorch's optimizers, or its fused form, over `parameters`: the first group has what no entry of
/// `config.groups` matches, then come the entries that have any. Throws Error{kBadRun} for another kind, values that
/// LibTorch refuses, or a group that matches nothing.
std::unique_ptr<torch::optim::Optimizer> make_optimizer(const wire::OptimizerConfig& config,
                                                        const NamedTensors& parameters);

/// Sets each group's learning rate to its own times `factor`; returns the first group's.
class LearningRates {
 public:
  explicit LearningRates(const torch::optim::Optimizer& optimizer);
  double set(torch::optim::Optimizer& optimizer, double factor) const;

 private:
  std::vector<double> rates_;  ///< as the run describes them
};

/// Whether `pattern` names the parameter: `*` matches any characters, and a module's path names all below it.
bool names_parameter(const std::string& pattern, const std::string& parameter);

}  // namespace binade::train
