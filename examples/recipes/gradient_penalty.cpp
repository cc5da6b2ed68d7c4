// SPDX-License-Identifier: Apache-2.0
//
// A penalty on the norm of gradients: grad() of the scaled loss gives scaled gradients, which are unscaled by hand,
// under autograd's eyes, before anything that is not linear is made of them.
#include "engine/scaler/grad_scaler.h"
#include "recipe.h"

#include <ATen/TensorOperators.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/optim/sgd.h>

using binade::scaler::GradScaler;

namespace {

at::Tensor norm_of(const std::vector<at::Tensor>& gradients, double factor) {
  at::Tensor sum;
  for (const at::Tensor& gradient : gradients) {
    const at::Tensor square = (gradient * factor).pow(2).sum();
    sum = sum.defined() ? sum + square : square;
  }
  return sum.sqrt();
}

/// The gradients that the optimizer would step with.
std::vector<at::Tensor> gradients(bool scaling, bool unscale_by_hand) {
  const recipe::Model model;
  const recipe::Data data;
  torch::optim::SGD optimizer(model.parameters(), torch::optim::SGDOptions(0.1));
  GradScaler scaler({.init_scale = 1024, .enabled = scaling});
  const at::Tensor loss = at::mse_loss(model(data.input), data.target);
  const auto scaled = torch::autograd::grad({scaler.scale(loss)}, model.parameters(), {}, /*retain_graph=*/true,
                                            /*create_graph=*/true);
  const double inverse = unscale_by_hand ? 1 / scaler.get_scale() : 1;
  const at::Tensor total = loss + norm_of(scaled, inverse);
  scaler.scale(total).backward();
  scaler.unscale_(optimizer);
  return recipe::gradients(model.parameters());
}

}  // namespace

int main() {
  return recipe::run([](recipe::Checks& check) {
    const auto reference = gradients(false, false);
    const double off = recipe::difference(gradients(true, true), reference);
    std::printf("with scaling the gradients differ by %.2g\n", off);
    check(off < 1e-5, "theDoubleBackwardIsFloat32s");
    check(recipe::difference(gradients(true, false), reference) > 1, "aPenaltyOnScaledGradientsIsWrong");
  });
}
