// SPDX-License-Identifier: Apache-2.0
//
// Two processes that average their gradients over c10d's Gloo backend. The averaging carries an infinity of one rank to
// the other before unscale_ looks, so that the scalers skip together without talking to each other.
#include "engine/scaler/grad_scaler.h"
#include "recipe.h"

#include <sys/wait.h>
#include <unistd.h>

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/optim/sgd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

using binade::scaler::GradScaler;

namespace {

constexpr int kRanks = 2;
constexpr int kSteps = 6;
constexpr int kOverflowAt = 3;  ///< the step in which rank 1 alone overflows
constexpr int kNoNetwork = 77;

struct Outcome {
  std::vector<at::Tensor> weights;
  std::vector<bool> stepped;
  double scale = 0;
};

/// Trains on the examples of `rank`; `average` makes every rank's gradients those of all.
template <class Average>
Outcome train(int rank, int ranks, const Average& average) {
  const recipe::Model model;
  const recipe::Data data;
  torch::optim::SGD optimizer(model.parameters(), torch::optim::SGDOptions(0.2));
  GradScaler scaler;
  Outcome outcome;
  const std::int64_t share = data.input.size(0) / ranks;
  const at::Tensor input = data.input.narrow(0, rank * share, share);
  const at::Tensor target = data.target.narrow(0, rank * share, share);
  for (int step = 0; step < kSteps; ++step) {
    optimizer.zero_grad();
    at::Tensor loss = at::mse_loss(model(input), target);
    if (step == kOverflowAt && rank == ranks - 1) loss = loss * std::numeric_limits<float>::infinity();
    scaler.scale(loss).backward();
    average(model.parameters());
    outcome.stepped.push_back(scaler.step(optimizer).stepped);
    scaler.update();
  }
  outcome.weights = recipe::values(model.parameters());
  outcome.scale = scaler.get_scale();
  return outcome;
}

c10::intrusive_ptr<c10d::ProcessGroupGloo> connect(const std::string& file, int rank) {
  c10::intrusive_ptr<c10d::Store> store = c10::make_intrusive<c10d::FileStore>(file, kRanks);
  auto options = c10d::ProcessGroupGloo::Options::create(std::chrono::seconds(60));
  options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForInterface("lo"));
  return c10::make_intrusive<c10d::ProcessGroupGloo>(c10::make_intrusive<c10d::PrefixStore>("gradients", store), rank,
                                                     kRanks, options);
}

int run_rank(const std::string& file, int rank) {
  at::set_num_threads(1);
  c10::intrusive_ptr<c10d::ProcessGroupGloo> group;
  try {
    group = connect(file, rank);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "no group over the loopback interface: %s\n", error.what());
    return kNoNetwork;
  }
  const Outcome mine = train(rank, kRanks, [&group](const std::vector<at::Tensor>& parameters) {
    for (const at::Tensor& parameter : parameters) {
      std::vector<at::Tensor> gradient{parameter.mutable_grad()};
      group->allreduce(gradient)->wait();
      gradient[0].div_(kRanks);
    }
  });
  // Every rank's weights, seen by all.
  bool alike = true;
  for (const at::Tensor& weight : mine.weights) {
    std::vector<at::Tensor> sum{weight.clone()};
    group->allreduce(sum)->wait();
    alike = alike && sum[0].equal(weight * kRanks);
  }
  std::vector<bool> expected(kSteps, true);
  expected[kOverflowAt] = false;
  const bool together = mine.stepped == expected && mine.scale == 32768;
  if (rank == 0) {
    recipe::Checks check;
    check(alike, "allRanksKeepTheSameWeights");
    check(together, "anInfinityOnOneRankSkipsOnAll");
    const Outcome alone = train(0, 1, [](const std::vector<at::Tensor>&) {});
    const double off = recipe::difference(mine.weights, alone.weights);
    std::printf("two halves differ from one process by %.2g of the weights\n", off);
    check(off < 1e-6, "twoHalvesAreOneBatch");
    return check.result();
  }
  return alike && together ? 0 : 1;
}

}  // namespace

int main() {
  std::string folder = (std::filesystem::temp_directory_path() / "binade-ranks-XXXXXX").string();
  if (!mkdtemp(folder.data())) return 1;
  std::array<pid_t, kRanks> children{};
  for (int rank = 0; rank < kRanks; ++rank) {
    children[rank] = fork();
    if (children[rank] == 0) {
      int code = 1;
      try {
        code = run_rank(folder + "/store", rank);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
      }
      std::fflush(nullptr);
      _exit(code);  // Gloo's threads need no farewell
    }
  }
  int worst = 0;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    worst = std::max(worst, WIFEXITED(status) ? WEXITSTATUS(status) : 1);
  }
  std::filesystem::remove_all(folder);
  return worst;
}
