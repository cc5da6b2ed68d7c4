// SPDX-License-Identifier: Apache-2.0
#include "engine/apex/initialize.h"
#include "engine/formats/error.h"

#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>

#include <cstdio>

int main() try {
  torch::manual_seed(1);
  torch::nn::Linear net(10, 1);
  torch::optim::SGD sgd(net->parameters(), /*lr=*/1e-3);
  auto [amp, model, optimizer] = binade::apex::initialize(net, sgd, {.opt_level = "O1"});

  const at::Tensor x = torch::randn({64, 10});
  const at::Tensor y = x.sum(1, /*keepdim=*/true);
  double first = 0;
  double last = 0;
  for (int step = 0; step < 200; ++step) {
    optimizer.zero_grad();
    at::Tensor loss;
    {
      const binade::apex::Casts casts = amp.casts();  // for the loss; the model opens its own
      loss = torch::mse_loss(model(x), y);
    }
    amp.scale_loss(loss, optimizer)->backward();  // gradients are unscaled at the end of the statement
    optimizer.step();                             // or a skip, after an overflow
    last = loss.item<double>();
    if (step == 0) first = last;
  }
  std::printf("loss %.4f -> %.4f, loss scale %g\n", first, last, amp.loss_scaler().loss_scale());
  return last < first && net->weight.scalar_type() == at::kFloat ? 0 : 1;
} catch (const binade::Error& error) {
  std::fprintf(stderr, "%s\n%s\n", error.what(), error.hint.c_str());
  return 1;
}
