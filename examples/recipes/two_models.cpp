// SPDX-License-Identifier: Apache-2.0
//
// Several models, losses and optimizers under one scaler: every loss is scaled, every optimizer stepped, then one
// update.
#include "engine/scaler/grad_scaler.h"
#include "recipe.h"

#include <ATen/TensorOperators.h>
#include <torch/optim/sgd.h>

#include <limits>
#include <memory>

using binade::scaler::GradScaler;
using binade::scaler::Stage;
using torch::optim::SGD;
using torch::optim::SGDOptions;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

at::Tensor mean_square(const at::Tensor& output) {
  return output.pow(2).mean();
}

/// The gradients of both models after the backwards of both losses.
std::vector<at::Tensor> two_losses(bool scaling) {
  const recipe::Model model0(1);
  const recipe::Model model1(2);
  const recipe::Data data;
  SGD optimizer0(model0.parameters(), SGDOptions(0.1));
  SGD optimizer1(model1.parameters(), SGDOptions(0.1));
  GradScaler scaler({.enabled = scaling});
  const at::Tensor output0 = model0(data.input);
  const at::Tensor output1 = model1(data.input);
  const at::Tensor loss0 = mean_square(2 * output0 + 3 * output1);
  const at::Tensor loss1 = mean_square(3 * output0 - 5 * output1);
  scaler.scale(loss0).backward({}, /*retain_graph=*/true);
  scaler.scale(loss1).backward();
  scaler.unscale_(optimizer0);  // one may be looked at before its step ...
  scaler.step(optimizer0);
  scaler.step(optimizer1);  // ... the other is unscaled in it
  scaler.update();
  auto all = recipe::gradients(model0.parameters());
  for (const at::Tensor& gradient : recipe::gradients(model1.parameters())) all.push_back(gradient);
  return all;
}

/// All weights after some steps of any number of models, losses and optimizers.
std::vector<at::Tensor> train(int models, int losses, int optimizers, bool scaling) {
  std::vector<recipe::Model> all;
  for (int i = 0; i < models; ++i) all.emplace_back(static_cast<std::uint64_t>(i + 1));
  std::vector<at::Tensor> parameters;
  for (const auto& model : all) {
    for (const at::Tensor& parameter : model.parameters()) parameters.push_back(parameter);
  }
  std::vector<std::unique_ptr<SGD>> steppers;
  for (int i = 0; i < optimizers; ++i) {
    std::vector<at::Tensor> owned;
    for (std::size_t p = i; p < parameters.size(); p += optimizers) owned.push_back(parameters[p]);
    steppers.push_back(std::make_unique<SGD>(owned, SGDOptions(0.1).momentum(0.5)));
  }
  GradScaler scaler({.growth_interval = 2, .enabled = scaling});
  const recipe::Data data;
  for (int step = 0; step < 4; ++step) {
    recipe::zero_gradients(parameters);
    at::Tensor output = all[0](data.input);
    for (int i = 1; i < models; ++i) output = output + i * all[i](data.input);
    for (int i = 0; i < losses; ++i) {
      scaler.scale(mean_square(output - i * data.target)).backward({}, /*retain_graph=*/i + 1 < losses);
    }
    for (const auto& stepper : steppers) scaler.step(*stepper);
    scaler.update();
  }
  return recipe::values(parameters);
}

bool every_combination_trains() {
  bool all = true;
  for (const int models : {1, 2, 3}) {
    for (const int losses : {1, 2}) {
      for (const int optimizers : {1, 2, 3}) {
        all = all && recipe::equal(train(models, losses, optimizers, true), train(models, losses, optimizers, false));
      }
    }
  }
  return all;
}

/// An infinity in one model's gradient leaves the other's step alone, and brings the scale down for both.
void overflow_in_one(recipe::Checks& check) {
  const recipe::Model model0(1);
  const recipe::Model model1(2);
  const recipe::Data data;
  SGD optimizer0(model0.parameters(), SGDOptions(0.1));
  SGD optimizer1(model1.parameters(), SGDOptions(0.1));
  const auto before0 = recipe::values(model0.parameters());
  const auto before1 = recipe::values(model1.parameters());
  GradScaler scaler;
  scaler.scale(mean_square(model0(data.input) + model1(data.input))).backward();
  model1.bias.mutable_grad()[0] = kInfinity;
  scaler.unscale_(optimizer0);
  check(scaler.stage(optimizer0) == Stage::kUnscaled && !scaler.stage(optimizer1), "anyOptimizerMayBeUnscaledByHand");
  const bool stepped0 = scaler.step(optimizer0).stepped;
  const bool stepped1 = scaler.step(optimizer1).stepped;
  scaler.update();
  check(stepped0 && !stepped1 && !recipe::equal(recipe::values(model0.parameters()), before0) &&
            recipe::equal(recipe::values(model1.parameters()), before1),
        "eachOptimizerSkipsOnItsOwn");
  check(scaler.get_scale() == 32768, "anyOverflowBacksTheSharedScaleOff");
}

/// What a scale for each loss would do to a gradient that both add to: 4 g + 16 g is no scale times 2 g.
void two_scales_in_one_gradient(recipe::Checks& check) {
  const recipe::Model shared(1);
  const recipe::Data data;
  const auto backward = [&](double scale0, double scale1) {
    recipe::zero_gradients(shared.parameters());
    (mean_square(shared(data.input)) * scale0).backward();
    (at::mse_loss(shared(data.input), data.target) * scale1).backward();
    return recipe::gradients(shared.parameters());
  };
  const auto plain = backward(1, 1);
  const auto apart = [&](double scale0, double scale1, double by) {
    auto gradients = backward(scale0, scale1);
    for (at::Tensor& gradient : gradients) gradient = gradient / by;
    return recipe::difference(gradients, plain);
  };
  check(apart(4, 4, 4) == 0 && apart(4, 16, 4) > 0.01 && apart(4, 16, 16) > 0.01, "twoScalesInOneGradientMeanNothing");
}

/// Nor can one optimizer own gradients of two scales: whatever it divides by, one of them comes out wrong.
void two_scales_in_one_optimizer(recipe::Checks& check) {
  const recipe::Model model0(1);
  const recipe::Model model1(2);
  const recipe::Data data;
  SGD both({model0.first, model1.first}, SGDOptions(0.1));
  GradScaler four({.init_scale = 4});
  GradScaler sixteen({.init_scale = 16});
  four.scale(mean_square(model0(data.input))).backward();
  sixteen.scale(mean_square(model1(data.input))).backward();
  const at::Tensor wrong = model1.first.grad().clone();
  four.unscale_(both);
  check(model1.first.grad().equal(wrong / 4) && !model1.first.grad().equal(wrong / 16),
        "oneOptimizerUnscalesByOneScale");
}

}  // namespace

int main() {
  return recipe::run([](recipe::Checks& check) {
    check(recipe::equal(two_losses(true), two_losses(false)), "gradientsOfBothModelsAreFloat32s");
    check(every_combination_trains(), "everyCombinationOfModelsLossesAndOptimizersTrains");
    overflow_in_one(check);
    two_scales_in_one_gradient(check);
    two_scales_in_one_optimizer(check);
  });
}
