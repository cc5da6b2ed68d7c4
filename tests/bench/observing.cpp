// SPDX-License-Identifier: Apache-2.0
//
// bench_observing [pairs [model]]: the cost of observing values, per training step.
#include "engine/graph/samples.h"
#include "engine/run/step.h"
#include "engine/train/training.h"
#include "tests/bench/peak_memory.h"
#include "tests/bench/ratio.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/isfinite.h>
#include <ATen/record_function.h>
#include <torch/csrc/autograd/anomaly_mode.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

namespace binade::bench {

namespace {

constexpr int kWarmUp = 3;

/// Returns a training of a sample in native bfloat16 under the CPU's lists, the fastest on a CPU.
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
  observe.measure_cost = false;
  return observe;
}

class Step {
 public:
  Step(const std::string& name, const wire::ObserveConfig& observe)
      : training_(train::set_up(training_of(name, observe))), stepper_(*training_) {}
  /// Runs `count` steps, so that a sampled level occurs in proportion.
  void operator()(int count = 1) {
    for (int i = 0; i < count; ++i) stepper_.run(step_++);
  }

 private:
  std::unique_ptr<train::Training> training_;
  run::Stepper stepper_;
  std::int64_t step_ = 0;
};

constexpr const char* kModels[] = {"resnet", "transformer", "lstm"};

/// A manual search for non-finite values: checks the results of every op, in backward too, by `isfinite().all()`.
class IsFiniteMode {
 public:
  IsFiniteMode() {
    handle_ = at::addGlobalCallback(
        at::RecordFunctionCallback(&begin, &end).needsOutputs(true).scopes({at::RecordScope::FUNCTION}));
  }
  ~IsFiniteMode() { at::removeCallback(handle_); }
  IsFiniteMode(const IsFiniteMode&) = delete;
  IsFiniteMode& operator=(const IsFiniteMode&) = delete;

 private:
  static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& /*function*/) { return nullptr; }
  static void end(const at::RecordFunction& function, at::ObserverContext* /*context*/) {
    const at::RecordFunctionGuard not_of_itself(/*is_enabled=*/false);
    const at::NoGradGuard no_history;
    for (const c10::IValue& value : function.outputs()) {
      if (!value.isTensor() || !value.toTensor().defined() || !value.toTensor().is_floating_point()) continue;
      // Counts instead of throwing: the result of `empty` may hold anything.
      if (!at::isfinite(value.toTensor()).all().item<bool>()) ++found;
    }
  }
  static inline std::int64_t found = 0;
  at::CallbackHandle handle_;
};

/// Converts the cost on observed steps into the cost of observing one step in `every`.
Interval spread(const Interval& ratio, std::int64_t every) {
  const auto part = [every](double value) { return 1 + (value - 1) / static_cast<double>(every); };
  return {part(ratio.median), part(ratio.low), part(ratio.high)};
}

void time_levels(const std::string& name, int pairs) {
  Step none(name, level("off"));
  const auto ratio = [&](const std::function<void()>& looking) {
    return median_interval(interleaved_ratios(
        looking, [&] { none(1); }, pairs, kWarmUp));
  };
  Step finite(name, level("finite"));
  print_ratio("observe.finite_check", name + ", every call, every step", ratio([&] { finite(1); }), 1.10);
  const wire::ObserveConfig as_default;
  Step histogram(name, level(as_default.level));
  const Interval looked = ratio([&] { histogram(1); });
  print_ratio("observe.sampled", name + ", as by default: one step in " + std::to_string(as_default.every),
              spread(looked, as_default.every), 1.02);
  print_ratio("observe.histogram", name + ", every step", looked);
  Step checked(name, level("off"));
  print_ratio("observe.isfinite_mode", name + ", isfinite().all() behind every op", ratio([&] {
                const IsFiniteMode mode;
                checked(1);
              }));
  Step anomaly(name, level("off"));
  print_ratio("observe.anomaly_mode", name + ", LibTorch's in C++, backward only, with its back traces", ratio([&] {
                torch::autograd::AnomalyMode::set_enabled(true, /*check_nan=*/true);
                anomaly(1);
                torch::autograd::AnomalyMode::set_enabled(false);
              }));
}

double most_held(const std::string& name, const wire::ObserveConfig& observe) {
  return static_cast<double>(peak_bytes([&] {
    Step step(name, observe);
    step(kWarmUp);
  }));
}

void measure_memory() {
  for (const std::string name : kModels) {
    const double bare = most_held(name, level("off"));
    const auto against = [&](const std::string& what, const wire::ObserveConfig& observe) {
      const double ratio = most_held(name, observe) / bare;
      print_ratio("observe.memory", name + ", " + what, {ratio, ratio, ratio}, 1.02);
    };
    against("as by default", {});
    against("histograms on every step", level("histogram"));
  }
}

}  // namespace

}  // namespace binade::bench

int main(int argc, char** argv) {
  const int pairs = argc > 1 ? std::max(24, std::atoi(argv[1])) : 60;
  for (const std::string name : binade::bench::kModels) {
    if (argc < 3 || name == argv[2]) binade::bench::time_levels(name, pairs);
  }
  binade::bench::measure_memory();
  return 0;
}
