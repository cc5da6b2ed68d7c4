// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/apex/initialize.h"

#include <torch/optim/sgd.h>

namespace binade::test {

/// A level that leaves the model as it is and prints nothing.
inline apex::Options quiet(const char* level, int losses = 1) {
  return {.opt_level = level,
          .cast_model_type = policy::ModelCast{},
          .num_losses = losses,
          .verbosity = 0,
          .allow_incoming_model_not_fp32 = true};
}

/// An optimizer of one float32 parameter, for what concerns the scaler alone.
struct Small {
  explicit Small(const apex::Options& options, at::ScalarType dtype = at::kFloat)
      : weight(torch::ones({2}).to(dtype).requires_grad_(true)),
        sgd({weight}, 0.5),
        amp(options),
        optimizer(sgd, amp) {}

  /// A backward whose gradient is `gradient` (times the scale).
  void backward(double gradient, int loss_id = 0, bool delay = false) {
    const auto scaled = amp.scale_loss(weight.to(at::kFloat).mul(gradient).sum(), optimizer,
                                       {.loss_id = loss_id, .delay_unscale = delay});
    scaled->backward();
  }

  at::Tensor weight;
  torch::optim::SGD sgd;
  apex::Amp amp;
  apex::Optimizer optimizer;
};

}  // namespace binade::test
