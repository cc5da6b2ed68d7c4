// SPDX-License-Identifier: Apache-2.0
//
// The smallest use of Apex's levels: a linear layer, SGD, O1. Two lines differ from the plain loop; they are numbered.
#include "engine/apex/initialize.h"
#include "engine/formats/error.h"

#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>

#include <cstdio>

using namespace binade;

int main() try {
  torch::manual_seed(1);
  torch::nn::Linear net(10, 1);
  torch::optim::SGD sgd(net->parameters(), 1e-3);
  auto [amp, model, optimizer] = apex::initialize(net, sgd, {.opt_level = "O1"});  // 1

  const at::Tensor x = torch::randn({64, 10});
  const at::Tensor y = x.sum(1, /*keepdim=*/true);
  double first = 0;
  double last = 0;
  for (int step = 0; step < 200; ++step) {
    optimizer.zero_grad();
    const at::Tensor loss = torch::mse_loss(model(x).to(at::kFloat), y);
    amp.scale_loss(loss, optimizer)->backward();  // 2: the scaled loss ends with the statement
    optimizer.step();
    last = loss.item<double>();
    if (step == 0) first = last;
  }
  std::printf("loss %.4f -> %.4f, weights %s, loss scale %g\n", first, last,
              net->weight.scalar_type() == at::kFloat ? "float32" : "cast", amp.loss_scaler().loss_scale());
  return last < first && net->weight.scalar_type() == at::kFloat ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n%s\n", error.what(), error.hint.c_str());
  return 1;
}
