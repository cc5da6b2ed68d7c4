// SPDX-License-Identifier: Apache-2.0
//
// A toy GAN: two models, two optimizers and three losses, each with a loss scaler of its own. The generator learns to
// make numbers around 3.
#include "engine/apex/initialize.h"
#include "engine/formats/error.h"

#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adam.h>

#include <cmath>
#include <cstdio>

using namespace binade;

int main() try {
  torch::manual_seed(2);
  torch::nn::Sequential generator(torch::nn::Linear(2, 16), torch::nn::ReLU(), torch::nn::Linear(16, 1));
  torch::nn::Sequential critic(torch::nn::Linear(1, 16), torch::nn::ReLU(), torch::nn::Linear(16, 1));
  torch::optim::Adam generator_adam(generator->parameters(), torch::optim::AdamOptions(0.005).betas({0.5, 0.9}));
  torch::optim::Adam critic_adam(critic->parameters(), torch::optim::AdamOptions(0.01).betas({0.5, 0.9}));
  auto [amp, models, optimizers] = apex::initialize(
      std::vector{critic, generator}, std::vector<torch::optim::Optimizer*>{&critic_adam, &generator_adam},
      {.opt_level = "O1", .num_losses = 3, .verbosity = 0});
  apex::Optimizer& critic_optimizer = optimizers[0];
  apex::Optimizer& generator_optimizer = optimizers[1];
  auto& judge = *models[0];
  auto& make = *models[1];

  const at::Tensor ones = torch::ones({64, 1});
  const at::Tensor zeros = torch::zeros({64, 1});
  const auto loss_of = [&amp = amp](torch::nn::Sequential& model, const at::Tensor& x, const at::Tensor& wanted) {
    const auto casts = amp.casts();
    return torch::binary_cross_entropy_with_logits(model->forward(x), wanted);
  };
  constexpr int kSteps = 600;
  double mean = 0;  // of what the generator makes in the second half: the two chase each other around the data
  for (int step = 0; step < kSteps; ++step) {
    const at::Tensor real = torch::randn({64, 1}) * 0.5 + 3;
    at::Tensor fake;
    {
      const auto casts = amp.casts();
      fake = make->forward(torch::randn({64, 2})).to(at::kFloat);
    }
    // The critic: two backward passes, each with its own scaler, into the same gradients.
    critic_optimizer.zero_grad();
    amp.scale_loss(loss_of(judge, real, ones), critic_optimizer, {.loss_id = 0})->backward();
    amp.scale_loss(loss_of(judge, fake.detach(), zeros), critic_optimizer, {.loss_id = 1})->backward();
    torch::nn::utils::clip_grad_norm_(apex::master_params(critic_optimizer), 5.0);
    critic_optimizer.step();
    // The generator.
    generator_optimizer.zero_grad();
    amp.scale_loss(loss_of(judge, fake, ones), generator_optimizer, {.loss_id = 2})->backward();
    generator_optimizer.step();
    if (step >= kSteps / 2) mean += fake.mean().item<double>() / (kSteps / 2);
  }
  std::printf("the generator makes numbers around %.2f; the loss scales are", mean);
  for (const auto& [name, state] : amp.state_dict()) std::printf(" %g", state.loss_scale);
  std::printf("\n");
  return std::abs(mean - 3) < 1 ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n%s\n", error.what(), error.hint.c_str());
  return 1;
}
