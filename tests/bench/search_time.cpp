// SPDX-License-Identifier: Apache-2.0
//
// bench_search_time: searches for policies that are faster than the default list of the CPU, in bfloat16, and measures
// what is found beside that list.
#include "engine/search/search.h"
#include "engine/trial/trials.h"
#include "engine/tuning/measure_evidence.h"
#include "engine/tuning/prove.h"
#include "tests/bench/ratio.h"
#include "tests/bench/training_steps.h"

#include <cstdio>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace binade::bench {

namespace {

constexpr std::int64_t kSteps = 30;  // of a Try
constexpr std::int64_t kTries = 10;
constexpr std::int64_t kSeeds = 3;
constexpr int kPairs = 60;
constexpr int kWarmUp = 5;

constexpr const char* kBench = "search.time";

/// The fastest policy that the search proved; nullopt: none is faster than the list.
std::optional<policy::Policy> fastest(const wire::RunConfig& config, trial::Trials& trials, const std::string& sample) {
  const search::Order order{
      .base = config.policy, .goal = search::Goal::kTime, .budget = {.tries = kTries, .seconds = {}}};
  const search::StepEvidence evidence =
      tuning::measure(trials.training(), order.base, trials.first_step(), search::low_format(order));
  tuning::Prover prover(trials, {.goal = order.goal, .base = order.base, .steps = kSteps});
  const search::Progress progress = search::run(order, evidence, std::ref(prover), {});
  print_figure(kBench, sample + ": tries", exactly(static_cast<double>(progress.tries)), "tries");
  const std::vector<search::Point> front = search::front(progress, evidence.step_seconds);
  if (front.empty()) return std::nullopt;
  return front.front().policy;
}

void search_one(const std::string& sample) {
  const wire::RunConfig config = lowered_training_of(sample, formats::kBFloat16, "cpu");
  trial::Trials trials(config, "");
  const std::optional<policy::Policy> found = fastest(config, trials, sample);
  if (!found) {
    print_ratio(kBench, sample + ": a step of the found policy / the list's; nothing better was found", exactly(1), 1);
    return;
  }
  wire::RunConfig tuned = config;
  tuned.policy = *found;
  EngineStep tuned_step(tuned);
  EngineStep list_step(config);
  print_ratio(kBench, sample + ": a step of the found policy / the list's",
              median_interval(interleaved_ratios([&] { tuned_step(); }, [&] { list_step(); }, kPairs, kWarmUp)), 1);
  const wire::Trial proof = trials.run({.before = config.policy, .after = *found, .steps = kSteps, .seeds = kSeeds});
  const double band = wire::band_of(proof.loss);
  print_ratio(kBench, sample + ": its loss gap over 3 seeds / the noise band",
              {proof.loss.mean / band, proof.loss.low / band, proof.loss.high / band}, 1);
}

}  // namespace

}  // namespace binade::bench

int main() try {
  for (const char* name : {"resnet", "transformer", "lstm"}) binade::bench::search_one(name);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_search_time: %s\n", error.what());
  return 1;
}
