// SPDX-License-Identifier: Apache-2.0
//
// bench_engine [step_vs_native|step_vs_autocast|memory_vs_autocast]: what the engine costs a training step.
#include "engine/autocast/region.h"
#include "engine/formats/error.h"
#include "engine/graph/samples.h"
#include "engine/train/optimizer.h"
#include "engine/train/step.h"
#include "engine/train/synthetic_data.h"
#include "engine/train/training.h"
#include "tests/bench/peak_memory.h"
#include "tests/bench/ratio.h"

#include <ATen/ops/cross_entropy_loss.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/optim/optimizer.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace binade::bench {

namespace {

constexpr int kPairs = 60;
constexpr int kWarmUp = 5;

const graph::Sample& sample(const std::string& name) {
  for (const graph::Sample& each : graph::samples())
    if (each.name == name) return each;
  throw Error(ErrorCode::kUsage, "no sample " + name);
}

/// One training of a sample on drawn batches. Nothing is observed, recorded or evaluated: what is left is the step.
wire::RunConfig training_of(const std::string& name, policy::Base base) {
  wire::RunConfig config;
  config.name = "bench";
  config.model = "sample:" + name;
  config.data.inputs = sample(name).inputs;
  const std::string& first = config.data.inputs.front();
  config.batch = std::stoll(first.substr(first.find('[') + 1));  // as many examples as the sample asks for
  config.optimizer.momentum = 0.9;
  config.scaler.enabled = base != policy::Base::kAllFloat32;
  config.scaler.init_scale = 1024;  // low enough that no step is skipped: a skipped one is shorter
  config.policy.base = base;
  config.observe.level = "off";
  config.data.prefetch = 0;  // the step beside it makes its batches itself too, and holds one
  return config;
}

/// Under the CPU's stock lists in bfloat16, native; bfloat16 needs no loss scale.
wire::RunConfig autocast_training_of(const std::string& name) {
  wire::RunConfig config = training_of(name, policy::Base::kCpuAmp);
  config.policy.low = formats::kBFloat16;
  config.policy.execution = policy::Execution::kNative;
  config.scaler.enabled = false;
  return config;
}

/// A training step as it is written without Binade, under LibTorch's own autocast where the run lowers anything.
class NativeStep {
 public:
  NativeStep(const wire::RunConfig& config, const std::string& name, bool optimised)
      : model_(graph::make_sample(name, config.seed)),
        data_(config.data.inputs, config.batch, config.data.classes, config.seed),
        optimised_(optimised),
        autocast_(config.policy.base == policy::Base::kCpuAmp) {
    optimizer_ = train::make_optimizer(config.optimizer, model_.parameters());
    model_.train(true);
  }

  void operator()() {
    train::Batch batch = data_.next();
    optimizer_->zero_grad();
    const at::Tensor loss = forward_and_loss(batch);
    loss.backward();
    optimizer_->step();
    last_loss_ = loss.item<double>();  // every training loop looks at its loss
  }

 private:
  at::Tensor forward_and_loss(train::Batch& batch) {
    std::optional<autocast::Region> region;
    if (autocast_) region.emplace("cpu");
    const c10::IValue output =
        optimised_ ? model_.module().forward(std::move(batch.inputs)) : model_.forward(std::move(batch.inputs));
    return at::cross_entropy_loss(output.toTensor(), batch.target());
  }

  graph::Model model_;
  train::SyntheticData data_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
  bool optimised_;
  bool autocast_;
  double last_loss_ = 0;
};

/// The same through the engine.
class EngineStep {
 public:
  explicit EngineStep(const wire::RunConfig& config) : training_(train::set_up(config)), stepper_(*training_) {}

  void operator()() {
    const auto outcome = stepper_.run(step_++);
    if (!outcome.record.stepped) throw Error(ErrorCode::kInternal, "a step was skipped: the figure would be too good");
  }

 private:
  std::unique_ptr<train::Training> training_;
  train::Stepper stepper_;
  std::int64_t step_ = 0;
};

void step_vs_native() {
  for (const std::string name : {"resnet", "transformer"}) {
    const wire::RunConfig config = training_of(name, policy::Base::kAllFloat32);
    EngineStep engine(config);
    for (const bool optimised : {false, true}) {
      NativeStep native(config, name, optimised);
      const auto ratios = interleaved_ratios([&] { engine(); }, [&] { native(); }, kPairs, kWarmUp);
      const std::string what = name + (optimised ? ", optimising executor" : ", executor's optimisation off");
      if (optimised) {
        print_ratio("engine.step_vs_native", what, median_interval(ratios));
      } else {
        print_ratio("engine.step_vs_native", what, median_interval(ratios), 1.02);
      }
    }
  }
}

constexpr const char* kLowered[] = {"resnet", "transformer", "lstm"};

void step_vs_autocast() {
  for (const std::string name : kLowered) {
    const wire::RunConfig config = autocast_training_of(name);
    EngineStep engine(config);
    for (const bool optimised : {false, true}) {
      NativeStep native(config, name, optimised);
      const std::string what = name + " bfloat16" + (optimised ? ", optimising executor" : "");
      try {
        const auto ratios = interleaved_ratios([&] { engine(); }, [&] { native(); }, kPairs, kWarmUp);
        if (optimised) {
          print_ratio("engine.step_vs_autocast", what, median_interval(ratios));
        } else {
          print_ratio("engine.step_vs_autocast", what, median_interval(ratios), 1.02);
        }
      } catch (const c10::Error& error) {
        // Its autodiff refuses the dtypes of its own backward on some models.
        if (!optimised) throw;
        std::fprintf(stderr, "%s: fails: %s\n", what.c_str(), error.what_without_backtrace());
      } catch (const std::runtime_error& error) {
        if (!optimised) throw;
        std::fprintf(stderr, "%s: fails: %s\n", what.c_str(), error.what());
      }
    }
  }
}

/// Everything that a training holds at its fullest, from the model on.
template <class Make>
double most_held(Make make) {
  return static_cast<double>(peak_bytes([&] {
    const auto step = make();
    for (int i = 0; i < kWarmUp; ++i) (*step)();
  }));
}

void memory_vs_autocast() {
  for (const std::string name : kLowered) {
    const wire::RunConfig config = autocast_training_of(name);
    const double native = most_held([&] { return std::make_unique<NativeStep>(config, name, false); });
    const double engine = most_held([&] { return std::make_unique<EngineStep>(config); });
    const double ratio = engine / native;
    print_ratio("engine.memory_vs_autocast", name + " bfloat16", {ratio, ratio, ratio}, 1.02);
  }
}

}  // namespace

}  // namespace binade::bench

int main(int argc, char** argv) try {
  const std::string wanted = argc > 1 ? argv[1] : "";
  bool known = false;
  const auto run = [&](const std::string& name, void (*bench)()) {
    if (!wanted.empty() && wanted != name) return;
    known = true;
    bench();
  };
  run("step_vs_native", binade::bench::step_vs_native);
  run("step_vs_autocast", binade::bench::step_vs_autocast);
  run("memory_vs_autocast", binade::bench::memory_vs_autocast);
  if (known) return 0;
  std::fprintf(stderr, "bench_engine: no benchmark %s\n", wanted.c_str());
  return 2;
} catch (const binade::Error& error) {
  std::fprintf(stderr, "bench_engine: %s\n  %s\n", error.what(), error.hint.c_str());
  return 1;
}
