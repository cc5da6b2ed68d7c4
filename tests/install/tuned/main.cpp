// SPDX-License-Identifier: Apache-2.0
#include "edited.h"
#include "engine/scaler/grad_scaler.h"
#include "tuned.h"

#include <torch/optim/sgd.h>

#include <cstdio>

int main() {
  tuned::TunedModel model(MODEL);
  const at::Tensor batch = torch::randn({4, 1, 28, 28});
  for (const std::string& line : model.check({batch})) {
    std::printf("%s\n", line.c_str());
    return 1;
  }
  const std::vector<std::string> found = edited::TunedModel(MODEL).check({batch});
  if (found != std::vector<std::string>{"fc3/aten::linear#0: float32 here, and bfloat16 in Binade"}) return 1;
  std::vector<at::Tensor> parameters;
  for (const auto& [name, parameter] : model.model().parameters()) parameters.push_back(parameter);
  torch::optim::SGD optimizer(parameters, /*lr=*/0.1);
  binade::scaler::GradScaler scaler(tuned::kScaler);
  torch::manual_seed(1);
  const at::Tensor x = torch::randn({64, 1, 28, 28});
  const at::Tensor y = torch::randint(10, {64}, at::kLong);
  for (int step = 0; step < 10; ++step) {
    at::Tensor output;
    at::Tensor loss;
    {
      const binade::autocast::CastScope scope(model.casts());
      output = model.forward({x}).toTensor();
      loss = torch::cross_entropy_loss(output.to(at::kFloat), y);
    }
    if (output.scalar_type() != at::kFloat) return 1;  // by the rule for fc3; cpu-amp gives bfloat16
    optimizer.zero_grad();
    scaler.scale(loss).backward();
    scaler.step(optimizer);
    scaler.update();
    std::printf("loss %.4f\n", loss.item<double>());
  }
  return 0;
}
