// SPDX-License-Identifier: Apache-2.0
//
// bench_checkpoint: time of a checkpoint against a plain copy of the same bytes, both synced to disk.
#include "engine/checkpoint/checkpoint.h"

#include "engine/formats/error.h"
#include "tests/bench/ratio.h"

#include <fcntl.h>
#include <unistd.h>

#include <ATen/ops/randn.h>
#include <torch/csrc/jit/api/module.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace binade::bench {

namespace {

constexpr int kPairs = 30;
constexpr int kWarmUp = 2;
constexpr double kBar = 1 / 0.7;  // at least 70 % of the copy's speed

/// Saves a model of one linear layer with 100 MB.
std::string big_model(const std::string& folder) {
  torch::jit::Module module("__torch__.Big");
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_parameter("weight", at::randn({5000, 5000}).requires_grad_(true), false);
  module.define("def forward(self, x: Tensor) -> Tensor:\n    return torch.linear(x, self.weight)\n");
  const std::string file = folder + "/big.pt";
  module.save(file);
  return file;
}

/// Copies through a buffer of 1 MB, as cp does, and syncs to disk.
void copy(const std::string& from, const std::string& to) {
  const int in = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
  const int out = ::open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  std::vector<char> buffer(1 << 20);
  for (ssize_t got = 0; (got = ::read(in, buffer.data(), buffer.size())) > 0;) {
    if (::write(out, buffer.data(), static_cast<std::size_t>(got)) != got) {
      throw Error(ErrorCode::kBadFile, to + ": not written");
    }
  }
  ::fsync(out);
  ::close(in);
  ::close(out);
}

void run() {
  const auto folder = std::filesystem::temp_directory_path() / ("binade-bench-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  wire::RunConfig config;
  config.model = big_model(folder.string());
  config.data.inputs = {"float32[2,5000]"};
  config.batch = 2;
  config.policy.base = policy::Base::kAllFloat32;
  const auto training = train::set_up(config);
  const std::string file = (folder / "step.safetensors").string();
  const std::string other = (folder / "copy.safetensors").string();
  checkpoint::save_checkpoint(*training, 0, "step", file);
  print_ratio("train.checkpoint_vs_copy", "100 MB",
              median_interval(interleaved_ratios([&] { checkpoint::save_checkpoint(*training, 0, "step", file); },
                                                 [&] { copy(file, other); }, kPairs, kWarmUp)),
              kBar);
  std::filesystem::remove_all(folder);
}

}  // namespace

}  // namespace binade::bench

int main() {
  try {
    binade::bench::run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_checkpoint: %s\n", error.what());
    return 1;
  }
  return 0;
}
