// SPDX-License-Identifier: Apache-2.0
//
// GradScaler without autocast: with a scale that is a power of two, float32 training is the same to the bit. Beside it
// the same scaling written by hand, for a backward in float16.
#include "engine/scaler/fused_adam.h"
#include "engine/scaler/grad_scaler.h"
#include "recipe.h"

#include <ATen/TensorOperators.h>
#include <torch/optim/sgd.h>

#include <functional>

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

using Step = std::function<void(const at::Tensor& loss, torch::optim::SGD&, const recipe::Model&)>;

/// Trains with products in float16 and a loss so small that float16 needs a loss scale; returns the weights.
std::vector<at::Tensor> train_in_float16(const Step& step) {
  constexpr double kSmall = 1e-6;
  const recipe::Model model;
  const recipe::Data data;
  const auto half = [](const at::Tensor& tensor) { return tensor.to(at::kHalf); };
  torch::optim::SGD optimizer(model.parameters(), torch::optim::SGDOptions(0.2 / kSmall));
  for (int i = 0; i < 20; ++i) {
    optimizer.zero_grad();
    const at::Tensor hidden = at::relu(at::linear(half(data.input), half(model.first), half(model.bias)));
    const at::Tensor output = at::linear(hidden, half(model.second)).to(at::kFloat);
    step(at::mse_loss(output, data.target) * kSmall, optimizer, model);
  }
  return recipe::values(model.parameters());
}

/// Scales the loss, unscales the gradients in float32, steps.
std::vector<at::Tensor> train_by_hand(double scale) {
  return train_in_float16([scale](const at::Tensor& loss, torch::optim::SGD& optimizer, const recipe::Model& model) {
    (loss * scale).backward();
    for (const at::Tensor& parameter : model.parameters()) {
      parameter.mutable_grad() = parameter.grad().to(at::kFloat) / scale;
    }
    optimizer.step();
  });
}

std::vector<at::Tensor> train_by_scaler(double scale) {
  GradScaler scaler({.init_scale = scale, .growth_interval = 1'000'000});
  return train_in_float16([&scaler](const at::Tensor& loss, torch::optim::SGD& optimizer, const recipe::Model&) {
    scaler.scale(loss).backward();
    scaler.step(optimizer);
    scaler.update();
  });
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

    check(recipe::equal(train_by_hand(65536), train_by_scaler(65536)), "aLoopByHandIsTheScalerWithThatScale");
    check(!recipe::equal(train_by_hand(1), train_by_hand(65536)), "withoutAScaleThisTrainingLosesGradients");

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
