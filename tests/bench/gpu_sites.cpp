// SPDX-License-Identifier: Apache-2.0
//
// A training step through the engine: the kernels that each op call launches in each phase, and their live figures.
// gpu.py compares them with ncu's figures for the same kernels of the same step.
#include "engine/formats/error.h"
#include "tests/bench/gpu_stages.h"
#include "tests/bench/gpu_work.h"
#include "tests/bench/training_steps.h"
#include "tests/profiler/recording.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

namespace binade::bench::gpu {

namespace {

using nlohmann::ordered_json;
using profiler::OpKey;
using profiler::Phase;

constexpr const char* kSamples[] = {"resnet", "transformer"};
constexpr const char* kPhases[] = {"forward", "backward", "accumulate", "observe"};
constexpr int kWarmUp = 5;
constexpr int kRecordedSteps = 40;

wire::RunConfig config_of(const std::string& sample) {
  // Large enough that matrix products run for tens of microseconds.
  return lowered_training_of(sample, formats::kFloat16, "cuda", sample == "resnet" ? 1024 : 512);
}

Phase phase_of(observe::Part part) {
  return static_cast<Phase>(part);  // both enums have the same values, see the assertion
}
static_assert(static_cast<int>(observe::Part::kObserve) == static_cast<int>(Phase::kObserve) &&
              static_cast<int>(observe::Part::kBackward) == static_cast<int>(Phase::kBackward) &&
              static_cast<int>(observe::Part::kAccumulate) == static_cast<int>(Phase::kAccumulate));

/// Forwards the step's marks to `target`.
template <class Target>
class Marks : public observe::SiteMarks {
 public:
  explicit Marks(Target& target) : target_(target) {}
  void enter(int site, observe::Part part) noexcept override { target_.push(profiler::op_key(site, phase_of(part))); }
  void leave() noexcept override { target_.pop(); }

 private:
  Target& target_;
};

/// A training step whose marks go to `target` while this object lives.
template <class Target>
class MarkedStep {
 public:
  MarkedStep(EngineStep& step, Target& target) : step_(step), marks_(target) {
    step_.training().timer.set_marks(&marks_);
    step_.stepper().set_profile({.level = "counters"});
  }
  ~MarkedStep() { step_.training().timer.set_marks(nullptr); }
  MarkedStep(const MarkedStep&) = delete;
  MarkedStep& operator=(const MarkedStep&) = delete;
  void operator()() { step_(); }

 private:
  EngineStep& step_;
  Marks<Target> marks_;
};

/// Returns `layer1.0.conv1/aten::conv2d#0 backward`.
std::string label(train::Training& training, OpKey op) {
  if (op == profiler::kOutsideOps) return "outside";
  const auto site = static_cast<std::size_t>(profiler::site_of(op));
  return training.sites.at(site)->key.name() + " " + kPhases[static_cast<std::size_t>(profiler::phase_of(op))];
}

struct OneStep {
  std::vector<profiler::Kernel> kernels;  ///< by start time, which in one stream is the order of launches
  std::vector<std::string> names;
  profiler::KernelCounts counts;
};

OneStep record_one(EngineStep& step) {
  const profiler::Parts parts = profiler::open_parts();
  auto source = profiler::make_activity_source(parts.cupti.functions);
  need(source->start());
  {
    MarkedStep<profiler::KernelSource> marked(step, *source);
    marked();
    wait();
  }
  OneStep one;
  for (int i = 0; i < 6; ++i) {
    source->flush();
    const auto taken = source->take();
    one.kernels.insert(one.kernels.end(), taken.begin(), taken.end());
  }
  source->stop();
  one.names = source->names();
  one.counts = source->counts();
  std::sort(one.kernels.begin(), one.kernels.end(),
            [](const profiler::Kernel& a, const profiler::Kernel& b) { return a.start < b.start; });
  return one;
}

/// Writes one entry per kernel, for the comparison with ncu.
void write_order(const std::string& file, train::Training& training, const OneStep& one) {
  ordered_json kernels = ordered_json::array();
  for (const profiler::Kernel& kernel : one.kernels) {
    kernels.push_back({{"call", label(training, kernel.op)}, {"op", kernel.op}, {"kernel", one.names.at(kernel.name)}});
  }
  std::ofstream out(file);
  out << kernels.dump() << "\n";
  if (!out) throw Error(ErrorCode::kBadFile, file + " cannot be written", "Give another --out folder.");
}

/// Records samples and kernels of a few steps as test data. ncu's figures for the same kernels are in gpu.py's file
/// beside it.
void record_steps(const std::string& folder, EngineStep& step, const std::string& sample) {
  profiler::Parts parts = profiler::open_parts();
  const profiler::Counters counters = profiler::probe_counters(*parts.driver, parts.cupti, 0);
  need(counters.state);
  auto source = profiler::make_activity_source(parts.cupti.functions);
  need(source->start());
  profiler::DeviceCurve curve(profiler::make_pm_source(parts.cupti.functions, parts.driver, 0, counters), {});
  need(curve.status());
  profiler::Recording recording;
  recording.chip = counters.chip;
  recording.metric = counters.choice.metrics.front().name;
  recording.note = std::to_string(kRecordedSteps) + " training steps of sample:" + sample;
  {
    MarkedStep<profiler::KernelSource> marked(step, *source);
    for (int i = 0; i < kRecordedSteps; ++i) marked();
    wait();
  }
  curve.stop();
  for (int i = 0; i < 6; ++i) {
    source->flush();
    const auto taken = source->take();
    recording.kernels.insert(recording.kernels.end(), taken.begin(), taken.end());
  }
  source->stop();
  recording.names = source->names();
  recording.samples = curve.take_samples();
  const std::string file = folder + "/" + counters.chip + "-" + sample + ".recording";
  std::ofstream out(file);
  write(out, recording);
  out.close();
  if (!out) throw Error(ErrorCode::kBadFile, file + " cannot be written", "Give another --out folder.");
}

void sites_of(const std::string& sample, const Machine& machine) {
  EngineStep step(config_of(sample));
  for (int i = 0; i < kWarmUp; ++i) step();
  const OneStep one = record_one(step);
  std::filesystem::create_directories(machine.folder);
  write_order(machine.folder + "/step-" + sample + ".json", step.training(), one);
  record_steps(machine.folder, step, sample);

  profiler::Monitor monitor;
  monitor.start({});
  need(monitor.state().curve);
  need(monitor.state().ops);
  {
    MarkedStep<profiler::Monitor> marked(step, monitor);
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < std::chrono::seconds(4)) marked();
    wait();
  }
  monitor.catch_up();
  for (const profiler::OpFigures& op : monitor.take_ops()) {
    const double us = op.launches > 0 ? 1e6 * op.seconds / static_cast<double>(op.launches) : 0;
    ordered_json line{{"bench", "gpu.sites"},
                      {"case", sample + " " + label(step.training(), op.op)},
                      {"us_a_kernel", us},
                      {"launches", op.launches},
                      {"confidence", std::string(name(op.confidence))},
                      {"shift_us", 1e6 * monitor.state().shift_seconds}};
    // An undetermined figure is left out: 0 would be a figure.
    if (op.percent >= 0) {
      line["live_percent"] = op.percent;
      line["error"] = op.error;
    }
    if (!op.kernels.empty()) line["kernel"] = op.kernels.front().name;
    print(line);
  }
}

void phases_of(const std::string& sample, const Machine& machine) {
  EngineStep step(config_of(sample));
  for (int i = 0; i < kWarmUp; ++i) step();
  const OneStep one = record_one(step);
  std::array<std::size_t, profiler::kPhases> by_phase{};
  std::size_t outside = 0;
  for (const profiler::Kernel& kernel : one.kernels) {
    if (kernel.op == profiler::kOutsideOps) {
      ++outside;
    } else {
      ++by_phase[static_cast<std::size_t>(profiler::phase_of(kernel.op))];
    }
  }
  print({{"bench", "gpu.libtorch"},
         {"case", sample},
         {"library", machine.ready.library},
         {"kernels", one.kernels.size()},
         {"forward", by_phase[0]},
         {"backward", by_phase[1]},
         {"accumulate", by_phase[2]},
         {"observe", by_phase[3]},
         {"outside", outside},
         {"dropped", one.counts.dropped},
         {"pass", by_phase[0] > 0 && by_phase[1] > 0 && one.counts.dropped == 0}});
}

}  // namespace

void sites(const Machine& machine) {
  for (const std::string sample : kSamples) attempt("gpu.sites", sample, [&] { sites_of(sample, machine); });
}

void libtorch(const Machine& machine) {
  for (const std::string sample : kSamples) attempt("gpu.libtorch", sample, [&] { phases_of(sample, machine); });
}

void step_for_ncu(const std::string& sample) {
  EngineStep step(config_of(sample));
  for (int i = 0; i < kWarmUp; ++i) step();
  wait();
  profiler_range(true);
  step();
  wait();
  profiler_range(false);
}

}  // namespace binade::bench::gpu
