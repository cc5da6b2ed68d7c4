// SPDX-License-Identifier: Apache-2.0
//
// Gradient clipping: either unscale first and clip as ever, or clip the scaled gradients to a scaled norm.
#include "engine/scaler/grad_scaler.h"
#include "recipe.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/stack.h>
#include <torch/optim/sgd.h>

#include <limits>

using binade::scaler::GradScaler;

namespace {

constexpr double kMaxNorm = 0.25;

/// As torch::nn::utils::clip_grad_norm_ does it, without reading the norm back.
void clip(const std::vector<at::Tensor>& parameters, double max_norm) {
  std::vector<at::Tensor> norms;
  for (const at::Tensor& parameter : parameters) norms.push_back(parameter.grad().norm());
  const at::Tensor factor = (max_norm / (at::stack(norms).norm() + 1e-6)).clamp_max(1);
  for (const at::Tensor& parameter : parameters) parameter.mutable_grad().mul_(factor);
}

enum class Way { kFloat32, kUnscaleFirst, kScaledNorm, kWrong };

/// The weights after ten steps.
std::vector<at::Tensor> train(Way way) {
  const recipe::Model model;
  const recipe::Data data;
  torch::optim::SGD optimizer(model.parameters(), torch::optim::SGDOptions(0.5));
  GradScaler scaler({.enabled = way != Way::kFloat32});
  for (int step = 0; step < 10; ++step) {
    optimizer.zero_grad();
    scaler.scale(at::mse_loss(model(data.input), data.target)).backward();
    if (way == Way::kUnscaleFirst) scaler.unscale_(optimizer);  // step() will not do it again
    const double norm = way == Way::kScaledNorm ? kMaxNorm * scaler.get_scale() : kMaxNorm;
    clip(model.parameters(), norm);
    scaler.step(optimizer);
    scaler.update();
  }
  return recipe::values(model.parameters());
}

}  // namespace

int main() {
  return recipe::run([](recipe::Checks& check) {
    const auto reference = train(Way::kFloat32);
    check(recipe::difference(train(Way::kUnscaleFirst), reference) == 0, "unscaleThenClipIsFloat32sClip");
    const double scaled = recipe::difference(train(Way::kScaledNorm), reference);
    std::printf("clipping scaled gradients differs by %.2g of the weights\n", scaled);
    check(scaled < 1e-5, "aScaledNormClipsScaledGradientsAlike");
    check(recipe::difference(train(Way::kWrong), reference) > 0.01, "anUnscaledNormOnScaledGradientsIsWrong");

    // One infinity makes the norm infinite and the clip zeroes every other gradient; unscale_ has noted it before.
    const recipe::Model model;
    const recipe::Data data;
    torch::optim::SGD optimizer(model.parameters(), torch::optim::SGDOptions(0.5));
    const auto before = recipe::values(model.parameters());
    GradScaler scaler;
    scaler.scale(at::mse_loss(model(data.input), data.target)).backward();
    model.bias.mutable_grad()[0] = std::numeric_limits<float>::infinity();
    scaler.unscale_(optimizer);
    clip(model.parameters(), kMaxNorm);
    const auto result = scaler.step(optimizer);
    const bool named = result.overflowed.size() == 1 && result.overflowed[0].parameters.front() == 1;
    check(model.first.grad().count_nonzero().item<int>() == 0 && !result.stepped && named &&
              recipe::equal(recipe::values(model.parameters()), before),
          "anInfinityIsNoticedBeforeTheClipHidesIt");
  });
}
