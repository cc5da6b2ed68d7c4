// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <torch/optim/optimizer.h>

#include <memory>
#include <vector>

namespace binade::test {

struct PlainSgdOptions : torch::optim::OptimizerCloneableOptions<PlainSgdOptions> {};

/// The recorded cases' optimizer: p += -rate * gradient. Counts its steps and returns their number.
class PlainSgd : public torch::optim::Optimizer {
 public:
  PlainSgd(std::vector<at::Tensor> parameters, double rate)
      : Optimizer(std::move(parameters), std::make_unique<PlainSgdOptions>()), rate_(rate) {}

  at::Tensor step(LossClosure /*closure*/ = nullptr) override {
    const at::NoGradGuard no_grad;
    ++steps;
    for (auto& group : param_groups()) {
      for (at::Tensor& parameter : group.params()) {
        if (parameter.grad().defined()) parameter.add_(parameter.grad(), -rate_);
      }
    }
    return at::full({}, steps, at::kInt);
  }

  int steps = 0;

 private:
  double rate_;
};

}  // namespace binade::test
