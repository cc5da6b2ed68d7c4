// SPDX-License-Identifier: Apache-2.0
#include "engine/train/optimizer.h"

#include "engine/formats/error.h"

#include <torch/optim/adam.h>
#include <torch/optim/sgd.h>

namespace binade::train {

std::unique_ptr<torch::optim::Optimizer> make_optimizer(const wire::OptimizerConfig& config,
                                                        std::vector<at::Tensor> parameters) {
  try {
    if (config.kind == "sgd") {
      return std::make_unique<torch::optim::SGD>(
          std::move(parameters),
          torch::optim::SGDOptions(config.learning_rate).momentum(config.momentum).weight_decay(config.weight_decay));
    }
    if (config.kind == "adam") {
      return std::make_unique<torch::optim::Adam>(std::move(parameters), torch::optim::AdamOptions(config.learning_rate)
                                                                             .betas({config.beta1, config.beta2})
                                                                             .eps(config.epsilon)
                                                                             .weight_decay(config.weight_decay));
    }
  } catch (const c10::Error& error) {
    throw Error(ErrorCode::kBadRun, std::string("optimizer: ") + error.what_without_backtrace());
  }
  throw Error(ErrorCode::kBadRun, "optimizer.kind is \"" + config.kind + "\", which is not known", "Use sgd or adam.");
}

double learning_rate(const torch::optim::Optimizer& optimizer) {
  return optimizer.param_groups().front().options().get_lr();
}

}  // namespace binade::train
