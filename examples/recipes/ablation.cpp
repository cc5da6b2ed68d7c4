// SPDX-License-Identifier: Apache-2.0
//
// The three parts of mixed-precision training (Micikevicius et al., 2018), each left out in turn: loss scaling, float32
// weights, float32 sums. One weight, used by 4,096 examples, that has to come down from 1 to 0.5.
#include "engine/scaler/grad_scaler.h"
#include "recipe.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <c10/util/Half.h>
#include <torch/optim/sgd.h>

#include <cmath>

using binade::scaler::GradScaler;

namespace {

constexpr int kExamples = 4096;
constexpr double kLossFactor = 1e-8;  ///< makes gradients small, as those of a deep network's first layers

struct Parts {
  bool loss_scaling = true;
  bool float32_weights = true;
  bool float32_sums = true;
};

/// As a float16 multiply-accumulate without a wider accumulator adds.
float sum_in_half(const at::Tensor& values) {
  const c10::Half* each = values.const_data_ptr<c10::Half>();
  c10::Half sum = 0;
  for (std::int64_t i = 0; i < values.numel(); ++i)
    sum = c10::Half(static_cast<float>(sum) + static_cast<float>(each[i]));
  return sum;
}

/// How far the weight is from 0.5 in the end.
double distance(const Parts& parts) {
  const at::Tensor weight = at::ones({1}).set_requires_grad(true);
  torch::optim::SGD optimizer({weight}, torch::optim::SGDOptions(1e-3 / kLossFactor));
  GradScaler scaler({.init_scale = std::ldexp(1, 32), .growth_interval = 1'000'000, .enabled = parts.loss_scaling});
  for (int step = 0; step < 2000; ++step) {
    // The gradient of the mean of (w - 0.5)^2, backward in float16: one addend from each example.
    const double upstream = scaler.scale(at::full({}, kLossFactor)).item<double>();
    const double addend = upstream * 2 * (weight.item<double>() - 0.5) / kExamples;
    const at::Tensor addends = at::full({kExamples}, addend, at::kHalf);
    weight.mutable_grad() =
        at::full({1}, parts.float32_sums ? addends.to(at::kFloat).sum().item<float>() : sum_in_half(addends));
    scaler.step(optimizer);
    scaler.update();
    if (!parts.float32_weights) weight.data().copy_(weight.data().to(at::kHalf));
  }
  return weight.item<double>() - 0.5;
}

}  // namespace

int main() {
  return recipe::run([](recipe::Checks& check) {
    const double exact = 0.5 * std::pow(1 - 2e-3, 2000);
    const double all = distance({});
    const double no_scaling = distance({.loss_scaling = false});
    const double no_weights = distance({.float32_weights = false});
    const double no_sums = distance({.float32_sums = false});
    std::printf(
        "left to go: %.4f in float32, %.4f with all three parts, %.4f without scaling, %.4f with float16 "
        "weights, %.4f with float16 sums\n",
        exact, all, no_scaling, no_weights, no_sums);
    check(std::abs(all / exact - 1) < 0.02, "withAllThreeItTrainsAsFloat32");
    check(no_scaling == 0.5, "withoutScalingGradientsAreZero");
    check(no_weights > 5 * all, "float16WeightsLoseSmallUpdates");
    check(no_sums > 3 * all, "float16SumsLoseSmallAddends");
  });
}
