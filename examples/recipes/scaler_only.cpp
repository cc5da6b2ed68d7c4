// SPDX-License-Identifier: Apache-2.0
//
// GradScaler without autocast: with a scale that is a power of two, float32 training is the same to the bit.
#include "engine/scaler/fused_adam.h"
#include "engine/scaler/grad_scaler.h"
#include "recipe.h"

#include <ATen/TensorOperators.h>
#include <torch/optim/sgd.h>

using namespace binade::scaler;

namespace {

template <class Optimizer>
std::vector<at::Tensor> train(bool scaling, Optimizer&& make) {
  const recipe::Model model;
  const recipe::Data data;
  auto optimizer = make(model.parameters());
  GradScaler scaler({.growth_interval = 5, .enabled = scaling});
  for (int step = 0; step < 20; ++step) {
    optimizer.zero_grad();
    scaler.scale(at::mse_loss(model(data.input), data.target)).backward();
    scaler.step(optimizer);
    scaler.update();
  }
  return recipe::values(model.parameters());
}

}  // namespace

int main() {
  return recipe::run([](recipe::Checks& check) {
    const auto sgd = [](const std::vector<at::Tensor>& parameters) {
      return torch::optim::SGD(parameters, torch::optim::SGDOptions(0.1).momentum(0.9));
    };
    check(recipe::equal(train(true, sgd), train(false, sgd)), "scalingByPowersOfTwoChangesNoBit");
    // An optimizer that unscales and skips on the device: the loop stays as it is, and nothing waits.
    const auto fused = [](const std::vector<at::Tensor>& parameters) { return FusedAdamW(parameters); };
    check(recipe::equal(train(true, fused), train(false, fused)), "aFusedOptimizerScalesItself");

    // What is left out when gradients are not divided by the scale: a step 65,536 times too large.
    const recipe::Model model;
    const recipe::Data data;
    const auto before = recipe::values(model.parameters());
    GradScaler scaler;
    torch::optim::SGD optimizer(model.parameters(), torch::optim::SGDOptions(0.1));
    scaler.scale(at::mse_loss(model(data.input), data.target)).backward();
    optimizer.step();  // and not scaler.step(optimizer)
    check(recipe::difference(recipe::values(model.parameters()), before) > 100, "withoutUnscalingTheStepIsFarTooLarge");
  });
}
