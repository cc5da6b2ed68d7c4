// SPDX-License-Identifier: Apache-2.0
#include "tests/ranks/plain_model.h"

#include "tests/support/suite.h"

#include <ATen/core/jit_type.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/api/module.h>

namespace binade::test {

namespace {

/// Weights without a random number.
at::Tensor weights(std::int64_t outputs, std::int64_t inputs) {
  const double size = static_cast<double>(outputs * inputs);
  return at::linspace(0, size, outputs * inputs)
      .mul(1.7)
      .sin()
      .mul(0.05)
      .reshape({outputs, inputs})
      .requires_grad_(true);
}

}  // namespace

std::string plainModel() {
  torch::jit::Module module("__torch__.Plain");
  module.register_parameter("first", weights(32, 784), false);
  module.register_parameter("shift", at::zeros({32}).requires_grad_(true), false);
  module.register_parameter("second", weights(10, 32), false);
  module.define(
      "def forward(self, x: Tensor) -> Tensor:\n"
      "    x = torch.relu(torch.linear(torch.flatten(x, 1), self.first, self.shift))\n"
      "    return torch.linear(x, self.second)\n");
  const std::string file = temporaryFolder().toStdString() + "/plain.pt";
  module.save(file);
  return file;
}

}  // namespace binade::test
