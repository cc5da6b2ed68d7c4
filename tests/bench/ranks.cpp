// SPDX-License-Identifier: Apache-2.0
//
// bench_ranks buckets BYTES...   the seconds of each sum of so many bytes of float32 over all ranks
// bench_ranks traffic RUN.json   trains the run; bytes that each rank sends beside gradients, and bytes of gradients
//
// One rank of several. ranks.py starts them, with the variables that torchrun sets; rank 0 prints JSON.
#include "engine/ranks/group.h"
#include "engine/ranks/place.h"
#include "engine/run/control.h"
#include "engine/run/trainer.h"
#include "engine/wire/run_config.h"

#include <nlohmann/json.hpp>

#include <ATen/ops/ones.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace binade::bench {

namespace {

constexpr int kWarmUp = 5;
constexpr int kSums = 60;
constexpr std::chrono::minutes kPatience{2};

using Clock = std::chrono::steady_clock;

/// The exchange before each sum is a barrier: no rank waits for another one in the measured time.
nlohmann::json seconds_of_sums(ranks::Group& group, std::int64_t bytes) {
  const at::Tensor values = at::ones({bytes / std::int64_t{sizeof(float)}});
  nlohmann::json seconds = nlohmann::json::array();
  for (int i = 0; i < kWarmUp + kSums; ++i) {
    group.exchange({0});
    const auto start = Clock::now();
    ranks::Group::Sum sum = group.sum(values);
    group.finish(sum);
    if (i >= kWarmUp) seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    values.fill_(1);
  }
  return seconds;
}

nlohmann::json buckets(ranks::Group& group, const std::vector<std::string>& sizes) {
  nlohmann::json all;
  for (const std::string& size : sizes) all[size] = seconds_of_sums(group, std::stoll(size));
  return all;
}

class Steps : public run::Listener {
 public:
  void receive(wire::NotificationRef notification) override {
    if (const auto* step = notification.get_if<wire::StepRecord>()) {
      ++steps;
      observed += step->observations.empty() ? 0 : 1;
    } else if (const auto* started = notification.get_if<wire::RunStarted>()) {
      for (const wire::TensorInfo& parameter : started->model.parameters) {
        std::int64_t elements = parameter.trainable ? 1 : 0;
        for (const std::int64_t size : parameter.shape) elements *= size;
        gradients += elements * std::int64_t{sizeof(float)};
      }
    }
  }
  std::int64_t steps = 0;
  std::int64_t observed = 0;
  std::int64_t gradients = 0;  ///< bytes in a step; parameters are float32
};

nlohmann::json traffic(ranks::Group& group, const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  const wire::RunConfig config = wire::parse_run(text.str(), file, std::filesystem::path(file).parent_path().string());
  Steps steps;
  run::Control control(/*attended=*/false);
  run::Trainer trainer(config, steps, control.stop_token(), &group);
  const std::uint64_t before = group.bytes_beside_gradients();
  const wire::Finished finished = trainer.run(control);
  const auto sent = static_cast<double>(group.bytes_beside_gradients() - before);
  if (finished.outcome != wire::Outcome::kCompleted) throw std::runtime_error(finished.message);
  nlohmann::json line{{"steps", steps.steps}, {"observed", steps.observed}, {"gradients", steps.gradients}};
  for (const auto& of_rank : group.exchange({sent})) line["sent"].push_back(of_rank.front());
  return line;
}

int measure(const std::vector<std::string>& words) {
  const auto place = ranks::place_of_process();
  if (!place) throw std::runtime_error("RANK and WORLD_SIZE name no rank of several: run ranks.py");
  const auto group = ranks::Group::join(*place, kPatience);
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  const nlohmann::json line = words.front() == "buckets" ? buckets(*group, rest) : traffic(*group, rest.at(0));
  if (group->rank() == 0) std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
  group->leave();
  return 0;
}

}  // namespace

}  // namespace binade::bench

int main(int count, char** words) {
  try {
    if (count < 3) throw std::runtime_error("usage: bench_ranks buckets BYTES... | traffic RUN.json");
    std::_Exit(binade::bench::measure({words + 1, words + count}));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_ranks: %s\n", error.what());
    std::_Exit(1);
  }
}
