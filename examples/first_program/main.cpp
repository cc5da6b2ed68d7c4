// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/region.h"
#include "engine/scaler/grad_scaler.h"

#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>

#include <cstdio>

int main() {
  torch::nn::Linear model(8, 1);  // its parameters are float32, and stay so
  torch::optim::SGD optimizer(model->parameters(), /*lr=*/0.1);
  binade::scaler::GradScaler scaler;
  const at::Tensor x = torch::randn({64, 8});
  for (int step = 0; step < 5; ++step) {
    at::Tensor loss;
    {
      const binade::autocast::Region region("cpu", at::kBFloat16);
      loss = torch::mse_loss(model->forward(x), x.sum(1, /*keepdim=*/true));
    }
    optimizer.zero_grad();
    scaler.scale(loss).backward();  // outside the region
    scaler.step(optimizer);
    scaler.update();
    std::printf("step %d: loss %.4f, scale %.0f\n", step, loss.item<double>(), scaler.get_scale());
  }
}
