// SPDX-License-Identifier: Apache-2.0
//
// The loop of mixed-precision training: what differs from a float32 loop is the region, and scale, step and update.
// Autocast and scaling can each be left out; one flag each, no other line changes.
#include "engine/autocast/region.h"
#include "engine/scaler/grad_scaler.h"
#include "recipe.h"

#include <torch/optim/sgd.h>

using binade::autocast::Region;
using binade::scaler::GradScaler;

namespace {

struct Outcome {
  double first = 0, last = 0;
  bool float32 = true;                 ///< parameters and their gradients
  at::ScalarType output = at::kFloat;  ///< of the model
  int zero_gradients = 0;
};

/// `factor` makes the loss, and so every gradient, that much smaller.
Outcome train(bool autocast, bool scaling, double factor = 1) {
  const recipe::Model model;
  const recipe::Data data;
  torch::optim::SGD optimizer(model.parameters(), torch::optim::SGDOptions(0.2 / factor));
  GradScaler scaler({.enabled = scaling});
  Outcome outcome;
  for (int step = 0; step < 60; ++step) {
    optimizer.zero_grad();
    at::Tensor loss;
    {
      const Region region("cpu", at::kHalf, autocast);  // forward and loss, nothing else
      const at::Tensor output = model(data.input);
      outcome.output = output.scalar_type();
      loss = at::mse_loss(output, data.target) * factor;
    }
    scaler.scale(loss).backward();  // each op's backward runs in the dtype of its forward
    for (const at::Tensor& parameter : model.parameters()) {
      outcome.float32 =
          outcome.float32 && parameter.scalar_type() == at::kFloat && parameter.grad().scalar_type() == at::kFloat;
      outcome.zero_gradients += parameter.grad().count_nonzero().item<int>() == 0 ? 1 : 0;
    }
    scaler.step(optimizer);
    scaler.update();
    outcome.last = loss.item<double>() / factor;
    if (step == 0) outcome.first = outcome.last;
  }
  return outcome;
}

}  // namespace

int main() {
  return recipe::run([](recipe::Checks& check) {
    bool all = true;
    for (const bool autocast : {false, true}) {
      for (const bool scaling : {false, true}) {
        const Outcome outcome = train(autocast, scaling);
        std::printf("autocast %-3s scaling %-3s loss %.4f -> %.4f\n", autocast ? "on," : "off", scaling ? "on," : "off",
                    outcome.first, outcome.last);
        all = all && outcome.last < 0.8 * outcome.first && outcome.float32 && (outcome.output == at::kHalf) == autocast;
      }
    }
    check(all, "eachOfTheTwoWorksWithoutTheOther");
    const Outcome both = train(true, true);
    check(both.last < 0.8 * both.first, "theLossFalls");
    check(both.float32 && both.output == at::kHalf, "weightsStayFloat32WhileOpsRunInFloat16");

    // A loss a hundred million times smaller: its gradients lie below what float16 can hold.
    const Outcome lost = train(true, false, 1e-8);
    const Outcome saved = train(true, true, 1e-8);
    std::printf("tiny gradients: %d of 180 all zero without scaling, %d with\n", lost.zero_gradients,
                saved.zero_gradients);
    check(lost.zero_gradients > 100 && lost.last == lost.first, "withoutScalingSmallGradientsBecomeZero");
    check(saved.zero_gradients == 0 && saved.last < 0.8 * saved.first, "withScalingTheyTrain");
  });
}
