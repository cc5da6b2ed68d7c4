// SPDX-License-Identifier: Apache-2.0
//
// bench_trial: the cost of a Try beside the training steps that it consists of, and for the training that it is started
// from.
#include "engine/checkpoint/checkpoint.h"
#include "engine/trial/trials.h"
#include "tests/bench/ratio.h"
#include "tests/bench/temporary_folder.h"
#include "tests/bench/training_steps.h"

#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace binade::bench {

namespace {

constexpr std::int64_t kSteps = 100;
constexpr std::int64_t kTrainings = 3;  // before, after, noise
constexpr int kPairs = 6;
constexpr int kSaves = 40;

using Clock = std::chrono::steady_clock;

template <class Work>
double seconds_of(const Work& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A policy that does what `policy` does, written as an edit: its steps take as long.
policy::Policy edited(policy::Policy policy) {
  policy::SiteRule& rule = policy.sites.emplace_back();
  rule.match = "*/aten::linear#0";
  rule.format = policy.low;
  return policy;
}

/// Times of a Try and of as many plain steps of the same run, alternately.
void compare_with_steps(const std::string& sample, std::int64_t batch) {
  const wire::RunConfig config = lowered_training_of(sample, formats::kBFloat16, "cpu", batch);
  EngineStep step(config);
  for (int i = 0; i < 10; ++i) step();
  std::vector<double> ratios;
  for (int pair = 0; pair < kPairs; ++pair) {
    trial::Trials trials(config, "");  // a new one each time: it keeps the trainings of the policy before
    const auto one_try = [&] {
      trials.run({.before = config.policy, .after = edited(config.policy), .steps = kSteps});
    };
    const auto plain_steps = [&] {
      for (std::int64_t i = 0; i < kTrainings * kSteps; ++i) step();
    };
    double tried = 0, plain = 0;
    if (pair % 2 == 0) {
      tried = seconds_of(one_try);
      plain = seconds_of(plain_steps);
    } else {
      plain = seconds_of(plain_steps);
      tried = seconds_of(one_try);
    }
    ratios.push_back(tried / plain);
  }
  print_ratio("trial.vs_steps", sample + " bfloat16, batch " + std::to_string(batch) + ": 3 x 100 steps",
              median_interval(std::move(ratios)), 1.1);
}

/// A Try needs a checkpoint of the training, which is saved between two of its steps.
void compare_start_with_step(const std::string& sample, const std::string& folder) {
  EngineStep step(lowered_training_of(sample, formats::kBFloat16, "cpu"));
  const std::string file = folder + "/start.safetensors";
  std::vector<double> saves, steps, ratios;
  for (int i = 0; i < 5; ++i) step();
  for (int i = 0; i < kSaves; ++i) {
    saves.push_back(1000 * seconds_of([&] { checkpoint::save_checkpoint(step.training(), i, "try", file); }));
    steps.push_back(1000 * seconds_of([&] { step(); }));
    ratios.push_back(saves.back() / steps.back());
  }
  const std::string bench = "trial.start_vs_step";
  print_figure(bench, sample + " bfloat16: saving the checkpoint", median_interval(std::move(saves)), "ms");
  print_figure(bench, sample + " bfloat16: a step", median_interval(std::move(steps)), "ms");
  print_ratio(bench, sample + " bfloat16", median_interval(std::move(ratios)), 1.0);
}

void run() {
  const TemporaryFolder folder;
  for (const auto& [sample, batch] : {std::pair{"resnet", 2}, std::pair{"transformer", 4}, std::pair{"lstm", 4}}) {
    compare_with_steps(sample, batch);
    compare_start_with_step(sample, folder.path());
  }
}

}  // namespace

}  // namespace binade::bench

int main() try {
  binade::bench::run();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_trial: %s\n", error.what());
  return 1;
}
