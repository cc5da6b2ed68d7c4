// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/apex_levels.h"

#include "engine/formats/error.h"
#include "engine/train/device.h"
#include "engine/train/training_state_guard.h"
#include "tests/bench/peak_memory.h"
#include "tests/bench/training_steps.h"

#include <ATen/Context.h>
#include <ATen/DeviceAccelerator.h>
#include <torch/optim/optimizer.h>

#include <utility>

namespace binade::bench {

namespace {

using policy::Base;

constexpr int kWarmUp = 4;

wire::RunConfig at_level(const std::string& sample, Base level, const formats::Format& low,
                         const LevelOptions& options) {
  wire::RunConfig config = training_of(sample, options.batch);
  config.device = options.device;
  config.policy.base = level;
  config.policy.low = low;
  config.optimizer.learning_rate = 1e-3;
  if (low == formats::kFloat16 && (level == Base::kApexO1 || level == Base::kApexO2)) {
    config.scaler.enabled = true;
    config.scaler.init_scale = 1024;  // low enough that no step is skipped: skipped steps are shorter
  }
  return config;
}

std::string dtype_name(at::ScalarType dtype) {
  if (dtype == at::kHalf) return "float16";
  return dtype == at::kBFloat16 ? "bfloat16" : "float32";
}

/// Collects the formats of all op calls' results in a forward, after casts and roundings.
class ResultFormats : public graph::SiteHook {
 public:
  explicit ResultFormats(std::set<std::string>& into) : into_(into) {}
  void after(graph::Call& call) override {
    for (std::size_t i = 0; i < call.site.outputs; ++i) {
      const c10::IValue& result = call.result(i);
      if (result.isTensor() && result.toTensor().defined() && result.toTensor().is_floating_point()) {
        into_.insert(dtype_name(result.toTensor().scalar_type()));
      }
    }
  }

 private:
  std::set<std::string>& into_;
};

std::int64_t bytes_of(const at::Tensor& tensor) {
  return tensor.numel() * static_cast<std::int64_t>(tensor.element_size());
}

/// Adds the formats and sizes of a training's tensors.
void look_at(train::Training& training, LevelFigures& figures) {
  for (const auto& [name, weight] : training.model.parameters()) {
    figures.weights.insert(dtype_name(weight.scalar_type()));
    figures.weight_bytes += bytes_of(weight);
  }
  for (const auto& [name, stepped] : training.trainable) figures.stepped.insert(dtype_name(stepped.scalar_type()));
  if (training.masters) {
    for (const auto& pair : training.masters->pairs()) figures.weight_bytes += bytes_of(pair.master);
  }
  const train::TrainingStateGuard guard(training, train::TrainingStateGuard::Mode::kEvaluate);
  ResultFormats results(figures.values);
  graph::SiteHook* hooks[] = {&results, &training.autocast};  // outermost: receives results as the next op does
  batches::Batch batch = train::on_device(training, training.data->test_batch(0));
  training.autocast.begin();
  training.forward.run(std::move(batch.inputs), hooks);
  training.autocast.end();
}

std::int64_t peak_of(const wire::RunConfig& config) {
  const auto train = [&config] {
    EngineStep step(config);
    for (int i = 0; i < kWarmUp; ++i) step();
  };
  if (config.device != "cuda") return peak_bytes(train);
  at::globalContext().lazyInitDevice(at::kCUDA);  // before it, the allocator knows no device
  at::accelerator::emptyCache();
  at::accelerator::resetPeakStats(0);
  const auto allocated = [] { return at::accelerator::getDeviceStats(0).allocated_bytes[0]; };
  const std::int64_t before = allocated().current;
  train();
  return allocated().peak - before;
}

LevelFigures measure(const std::string& sample, Base level, const formats::Format& low, bool native,
                     const LevelOptions& options) {
  const wire::RunConfig config = at_level(sample, level, low, options);
  LevelFigures figures;
  figures.level = level;
  figures.runs = level == Base::kApexO0 ? "float32" : formats::name(low) + (native ? " native" : " emulated");
  figures.peak_bytes = peak_of(config);
  EngineStep step(config);
  look_at(step.training(), figures);
  for (int i = 0; i < options.steps; ++i) {
    step();
    if (i == 0) figures.first_loss = step.last_loss();
  }
  figures.last_loss = step.last_loss();
  if (level == Base::kApexO0) {
    figures.why_no_time = "It is what the others are divided by.";
  } else if (!native) {
    figures.why_no_time = "This CPU has no " + formats::name(low) +
                          " arithmetic: the step is emulated, and its time would be the emulation's.";
  } else {
    EngineStep baseline(at_level(sample, Base::kApexO0, low, options));
    figures.time = median_interval(interleaved_ratios([&] { step(); }, [&] { baseline(); }, options.pairs, kWarmUp));
  }
  return figures;
}

}  // namespace

std::string level_name(Base level) {
  const std::string name = policy::name(level);  // `apex-o2`
  return "O" + name.substr(name.size() - 1);
}

std::vector<LevelFigures> apex_levels(const std::string& sample, const LevelOptions& options) {
  const policy::Capabilities can = train::capabilities(train::open_device(options.device));
  std::vector<LevelFigures> all;
  for (const Base level : {Base::kApexO0, Base::kApexO1, Base::kApexO2, Base::kApexO3}) {
    all.push_back(measure(sample, level, formats::kFloat16, can.native_float16, options));
  }
  if (options.device == "cpu" && can.native_bfloat16 && !can.native_float16) {
    for (const Base level : {Base::kApexO1, Base::kApexO2, Base::kApexO3}) {
      all.push_back(measure(sample, level, formats::kBFloat16, /*native=*/true, options));
    }
  }
  return all;
}

}  // namespace binade::bench
