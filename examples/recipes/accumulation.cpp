// SPDX-License-Identifier: Apache-2.0
//
// Gradient accumulation: the scale stays for all micro-batches of a step; unscale, step and update come once.
#include "engine/scaler/grad_scaler.h"
#include "recipe.h"

#include <ATen/TensorOperators.h>
#include <torch/optim/sgd.h>

using binade::scaler::GradScaler;

int main() {
  return recipe::run([](recipe::Checks& check) {
    constexpr int kParts = 4;
    const recipe::Data data;
    const recipe::Model whole;
    const recipe::Model parts;
    torch::optim::SGD whole_optimizer(whole.parameters(), torch::optim::SGDOptions(0.2));
    torch::optim::SGD optimizer(parts.parameters(), torch::optim::SGDOptions(0.2));
    GradScaler scaler({.growth_interval = 1});  // grows at every update: it must not do so in between
    bool constant = true;
    for (int step = 0; step < 5; ++step) {
      whole_optimizer.zero_grad();
      at::mse_loss(whole(data.input), data.target).backward();
      whole_optimizer.step();

      optimizer.zero_grad();
      const double scale = scaler.get_scale();
      const auto inputs = data.input.chunk(kParts);
      const auto targets = data.target.chunk(kParts);
      for (int part = 0; part < kParts; ++part) {
        const at::Tensor loss = at::mse_loss(parts(inputs[part]), targets[part]) / kParts;
        scaler.scale(loss).backward();
        constant = constant && scaler.get_scale() == scale;
      }
      scaler.step(optimizer);
      scaler.update();
      constant = constant && scaler.get_scale() == 2 * scale;
    }
    const double off = recipe::difference(recipe::values(parts.parameters()), recipe::values(whole.parameters()));
    std::printf("four parts differ from one batch by %.2g of the weights\n", off);
    check(off < 1e-6, "fourPartsAreOneBatch");
    check(constant, "theScaleStaysWithinTheWindow");
  });
}
