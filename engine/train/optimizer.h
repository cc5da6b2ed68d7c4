// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

namespace torch::optim {
class Optimizer;
}

namespace binade::train {

/// SGD with momentum, or Adam, over `parameters`. Throws Error{kBadRun} for another kind or values it refuses.
std::unique_ptr<torch::optim::Optimizer> make_optimizer(const wire::OptimizerConfig& config,
                                                        std::vector<at::Tensor> parameters);

/// Of the first parameter group.
double learning_rate(const torch::optim::Optimizer& optimizer);

}  // namespace binade::train
