// SPDX-License-Identifier: Apache-2.0
#include "tests/trial/trial_runs.h"

#include "engine/checkpoint/checkpoint.h"
#include "engine/run/step.h"
#include "engine/train/device.h"
#include "tests/run/small_run.h"

namespace binade::test {

wire::RunConfig trialRun() {
  wire::RunConfig config = smallRun(1000);
  config.optimizer.kind = "adam";
  config.optimizer.learning_rate = 1e-3;
  config.optimizer.momentum = 0;
  config.scaler.init_scale = 1024;
  config.observe.level = "off";
  return config;
}

policy::Policy inFloat32(policy::Policy policy, const std::string& match) {
  policy::SiteRule rule;
  rule.match = match;
  rule.format = formats::kFloat32;
  policy.sites.push_back(rule);
  return policy;
}

std::unique_ptr<train::Training> trained(const wire::RunConfig& config, std::int64_t steps) {
  auto training = train::set_up(config);
  lossesOf(*training, 0, steps);
  return training;
}

std::vector<double> lossesOf(train::Training& training, std::int64_t first, std::int64_t steps) {
  const train::Deterministic deterministic;
  run::Stepper stepper(training, /*replays=*/false);
  std::vector<double> losses;
  for (std::int64_t step = first; step < first + steps; ++step) losses.push_back(stepper.run(step).record.loss);
  return losses;
}

std::string saved(const train::Training& training, std::int64_t step) {
  const std::string file = folder() + "/checkpoint.safetensors";
  checkpoint::save_checkpoint(training, step, "request", file);
  return file;
}

trial::Order orderOf(const policy::Policy& before, const policy::Policy& after, std::int64_t steps,
                     std::int64_t seeds) {
  trial::Order order;
  order.before = before;
  order.after = after;
  order.steps = steps;
  order.seeds = seeds;
  return order;
}

}  // namespace binade::test
