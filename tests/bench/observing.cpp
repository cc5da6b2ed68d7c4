// SPDX-License-Identifier: Apache-2.0
//
// bench_observing [pairs]: what looking at every value costs a training step.
#include "engine/graph/samples.h"
#include "engine/train/step.h"
#include "engine/train/training.h"
#include "tests/bench/peak_memory.h"
#include "tests/bench/ratio.h"

#include <torch/csrc/autograd/anomaly_mode.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>

namespace binade::bench {

namespace {

constexpr int kWarmUp = 3;

/// A sample in bfloat16 under the CPU's lists, native: a step as fast as the CPU does it.
wire::RunConfig training_of(const std::string& name, const wire::ObserveConfig& observe) {
  wire::RunConfig config;
  config.name = "bench";
  config.model = "sample:" + name;
  for (const graph::Sample& each : graph::samples()) {
    if (each.name == name) config.data.inputs = each.inputs;
  }
  const std::string& first = config.data.inputs.front();
  config.batch = std::stoll(first.substr(first.find('[') + 1));
  config.scaler.enabled = false;
  config.policy.base = policy::Base::kCpuAmp;
  config.policy.low = formats::kBFloat16;
  config.policy.execution = policy::Execution::kNative;
  config.data.prefetch = 0;
  config.observe = observe;
  return config;
}

wire::ObserveConfig level(const std::string& name, std::int64_t every = 1) {
  wire::ObserveConfig observe;
  observe.level = name;
  observe.every = every;
  observe.between = "off";
  return observe;
}

class Step {
 public:
  Step(const std::string& name, const wire::ObserveConfig& observe)
      : training_(train::set_up(training_of(name, observe))), stepper_(*training_) {}
  /// `count` steps, so that a sampled level is met as often as it comes.
  void operator()(int count = 1) {
    for (int i = 0; i < count; ++i) stepper_.run(step_++);
  }

 private:
  std::unique_ptr<train::Training> training_;
  train::Stepper stepper_;
  std::int64_t step_ = 0;
};

constexpr const char* kModels[] = {"resnet", "transformer", "lstm"};

void time_levels(int pairs) {
  constexpr int kSampled = 20;
  for (const std::string name : kModels) {
    Step none(name, level("off"));
    const auto ratio = [&](Step& looking, int steps, int count) {
      return median_interval(interleaved_ratios([&] { looking(steps); }, [&] { none(steps); }, count, kWarmUp));
    };
    Step finite(name, level("finite"));
    print_ratio("observe.finite_check", name + ", every call, every step", ratio(finite, 1, pairs), 1.10);
    Step sampled(name, level("histogram", kSampled));
    print_ratio("observe.sampled", name + ", histograms on every 20th step", ratio(sampled, kSampled, pairs / 4), 1.02);
    Step histogram(name, level("histogram"));
    print_ratio("observe.histogram", name + ", every step", ratio(histogram, 1, pairs));
    Step anomaly(name, level("off"));
    const auto watched = interleaved_ratios(
        [&] {
          torch::autograd::AnomalyMode::set_enabled(true, /*check_nan=*/true);
          anomaly(1);
          torch::autograd::AnomalyMode::set_enabled(false);
        },
        [&] { none(1); }, pairs, kWarmUp);
    print_ratio("observe.anomaly_mode", name + ", LibTorch's, backward only", median_interval(watched));
  }
}

double most_held(const std::string& name, const wire::ObserveConfig& observe) {
  return static_cast<double>(peak_bytes([&] {
    Step step(name, observe);
    step(kWarmUp);
  }));
}

void measure_memory() {
  for (const std::string name : kModels) {
    const double ratio = most_held(name, level("finite")) / most_held(name, level("off"));
    print_ratio("observe.memory", name + ", every call, every step", {ratio, ratio, ratio}, 1.02);
  }
}

}  // namespace

}  // namespace binade::bench

int main(int argc, char** argv) {
  binade::bench::time_levels(argc > 1 ? std::max(24, std::atoi(argv[1])) : 60);
  binade::bench::measure_memory();
  return 0;
}
