// SPDX-License-Identifier: Apache-2.0
//
// bench_scaler [vs_kernels | fused_adamw]: the cost of scaling a step of 200 tensors with 25 M elements.
#include "engine/scaler/fused_adam.h"
#include "engine/scaler/grad_scaler.h"
#include "tests/bench/ratio.h"

#include <ATen/Parallel.h>
#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale.h>
#include <ATen/ops/_amp_update_scale.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <torch/optim/adamw.h>

#include <cstdio>
#include <string>

namespace binade::bench {

namespace {

constexpr int kPairs = 30;
constexpr int kWarmUp = 3;

/// Sizes as in large networks: 100 matrices of about 250,000 elements and 100 biases of 500, 25 M elements in all.
std::vector<at::Tensor> parameters() {
  std::vector<at::Tensor> all;
  for (int i = 0; i < 100; ++i) {
    all.push_back(at::randn({499, 500}).set_requires_grad(true));
    all.push_back(at::randn({500}).set_requires_grad(true));
  }
  for (const at::Tensor& each : all) each.mutable_grad() = at::randn(each.sizes());
  return all;
}

/// An optimizer that does nothing, so that only the scaler is measured.
struct NoOptions : torch::optim::OptimizerCloneableOptions<NoOptions> {};
struct Idle : torch::optim::Optimizer {
  explicit Idle(std::vector<at::Tensor> owned) : Optimizer(std::move(owned), std::make_unique<NoOptions>()) {}
  at::Tensor step(LossClosure /*closure*/ = nullptr) override { return {}; }
};

/// unscale_, step and update against the kernels that they must call, on the same tensors.
void vs_kernels() {
  const auto owned = parameters();
  Idle optimizer(owned);
  // A scale of 1 does not change the gradients over the pairs; the kernels do the same work.
  scaler::GradScaler scaler({.init_scale = 1, .growth_interval = 1'000'000});
  scaler.scale(at::ones({}));
  const auto ours = [&] {
    scaler.unscale_(optimizer);
    scaler.step(optimizer);
    scaler.update();
  };
  at::Tensor scale = at::ones({});
  at::Tensor tracker = at::zeros({}, at::kInt);
  std::vector<at::Tensor> gradients;
  for (const at::Tensor& each : owned) gradients.push_back(each.grad());
  const auto raw = [&] {
    at::Tensor found_inf = at::zeros({});
    at::_amp_foreach_non_finite_check_and_unscale_(gradients, found_inf, scale.reciprocal());
    if (found_inf.item<float>() == 0) optimizer.step();
    at::_amp_update_scale_(scale, tracker, found_inf, 2, 0.5, 1'000'000);
  };
  print_ratio("scaler.vs_kernels", "200 tensors, 25 M elements",
              median_interval(interleaved_ratios(ours, raw, kPairs, kWarmUp)), 1.05);
}

/// A whole scaled step with FusedAdamW against LibTorch's AdamW without scaling.
void fused_adamw() {
  const auto mine = parameters();
  const auto theirs = parameters();
  scaler::FusedAdamW fused(mine, torch::optim::AdamWOptions(1e-6));
  torch::optim::AdamW plain(theirs, torch::optim::AdamWOptions(1e-6));
  scaler::GradScaler scaler({.init_scale = 1, .growth_interval = 1'000'000});
  scaler.scale(at::ones({}));
  const auto ours = [&] {
    scaler.step(fused);
    scaler.update();
  };
  const auto libtorch = [&] { plain.step(); };
  print_ratio("scaler.fused_adamw", "with scaling / torch::optim::AdamW without",
              median_interval(interleaved_ratios(ours, libtorch, kPairs, kWarmUp)), 0.6);
}

}  // namespace

}  // namespace binade::bench

int main(int argc, char** argv) {
  at::set_num_threads(1);  // single-threaded: with more threads, noise on a busy machine exceeds the bar
  const std::string wanted = argc > 1 ? argv[1] : "";
  if (wanted.empty() || wanted == "vs_kernels") binade::bench::vs_kernels();
  if (wanted.empty() || wanted == "fused_adamw") binade::bench::fused_adamw();
  return 0;
}
