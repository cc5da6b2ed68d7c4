// SPDX-License-Identifier: Apache-2.0
//
// bench_engine [step_vs_native|step_vs_autocast|memory_vs_autocast]: the engine's cost per training step.
#include "engine/formats/error.h"
#include "engine/train/device.h"
#include "tests/bench/peak_memory.h"
#include "tests/bench/ratio.h"
#include "tests/bench/training_steps.h"

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

namespace binade::bench {

namespace {

constexpr int kPairs = 60;
constexpr int kWarmUp = 5;

/// Native bfloat16 under the CPU's stock lists, which needs no loss scale.
wire::RunConfig autocast_training_of(const std::string& name) {
  return lowered_training_of(name, formats::kBFloat16, "cpu");
}

void step_vs_native() {
  for (const std::string name : {"resnet", "transformer"}) {
    const wire::RunConfig config = training_of(name);
    EngineStep engine(config);
    for (const bool optimised : {false, true}) {
      NativeStep native(config, optimised);
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

/// Whether LibTorch trains a sample in bfloat16 here; if not, prints why. Its LSTM needs instructions for bfloat16.
bool is_measured(const std::string& bench, const std::string& name) {
  if (name != "lstm" || train::capabilities(c10::kCPU).native_bfloat16) return true;
  print_not_measured(bench, name + " bfloat16", "unsupported",
                     "LibTorch runs no LSTM in bfloat16 on a processor without bfloat16 instructions.",
                     "Run it on a processor with avx512_bf16 or amx_bf16.");
  return false;
}

void step_vs_autocast() {
  for (const std::string name : kLowered) {
    if (!is_measured("engine.step_vs_autocast", name)) continue;
    const wire::RunConfig config = autocast_training_of(name);
    print_figure("engine.results_vs_autocast", name + " bfloat16: parameters that differ after 5 steps",
                 exactly(differing_parameters(config, 5)), "parameters", 0);
    EngineStep engine(config);
    for (const bool optimised : {false, true}) {
      NativeStep native(config, optimised);
      const std::string what = name + " bfloat16" + (optimised ? ", optimising executor" : "");
      try {
        const auto ratios = interleaved_ratios([&] { engine(); }, [&] { native(); }, kPairs, kWarmUp);
        if (optimised) {
          print_ratio("engine.step_vs_autocast", what, median_interval(ratios));
        } else {
          print_ratio("engine.step_vs_autocast", what, median_interval(ratios), 1.02);
        }
      } catch (const c10::Error& error) {
        // On some models the optimising executor's autodiff fails on dtypes in its own backward.
        if (!optimised) throw;
        std::fprintf(stderr, "%s: fails: %s\n", what.c_str(), error.what_without_backtrace());
      } catch (const std::runtime_error& error) {
        if (!optimised) throw;
        std::fprintf(stderr, "%s: fails: %s\n", what.c_str(), error.what());
      }
    }
  }
}

/// Peak memory of a training, including the model.
template <class Make>
double most_held(Make make) {
  return static_cast<double>(peak_bytes([&] {
    const auto step = make();
    for (int i = 0; i < kWarmUp; ++i) (*step)();
  }));
}

void memory_vs_autocast() {
  for (const std::string name : kLowered) {
    if (!is_measured("engine.memory_vs_autocast", name)) continue;
    const wire::RunConfig config = autocast_training_of(name);
    const double native = most_held([&] { return std::make_unique<NativeStep>(config, false); });
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
