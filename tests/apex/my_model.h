// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>
#include <torch/types.h>

namespace binade::test {

/// The model of Apex's own tests: w0 = [u, u + 1] float32, w1 = [u + 1, u + 2] float16; forward is the sum of
/// x * w0 * w1. All its numbers are exact in float16.
struct MyModelImpl : torch::nn::Module {
  explicit MyModelImpl(double u, at::ScalarType second = at::kHalf) {
    w0 = register_parameter("w0", torch::tensor({u, u + 1}, at::kFloat));
    w1 = register_parameter("w1", torch::tensor({u + 1, u + 2}, at::kFloat).to(second));
  }
  at::Tensor forward(const at::Tensor& x) { return x.mul(w0).mul(w1).sum(); }

  at::Tensor w0;
  at::Tensor w1;
};
TORCH_MODULE(MyModel);

}  // namespace binade::test
