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

/// Creates one of LibTorch's optimizers, or its fused form, for `parameters`. The first group holds the parameters that
/// no entry of `config.groups` matches; the entries with matches follow. Throws Error{kBadRun} for an unknown kind,
/// values that LibTorch refuses, or a group that matches nothing.
std::unique_ptr<torch::optim::Optimizer> make_optimizer(const wire::OptimizerConfig& config,
                                                        const NamedTensors& parameters);

/// The configured learning rates. set() multiplies each group's rate by `factor` and returns the first group's result.
class LearningRates {
 public:
  explicit LearningRates(const torch::optim::Optimizer& optimizer);
  double set(torch::optim::Optimizer& optimizer, double factor) const;

 private:
  std::vector<double> rates_;  ///< as configured
};

/// Returns whether `pattern` matches the parameter: `*` matches any characters, and a module's path all parameters
/// below it.
bool names_parameter(const std::string& pattern, const std::string& parameter);

}  // namespace binade::train
