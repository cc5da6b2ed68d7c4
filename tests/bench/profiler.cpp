// SPDX-License-Identifier: Apache-2.0
//
// bench_profiler [attribution | marks | decode]: cost of profiling and accuracy of figures per op call, without a GPU:
// steps are simulated, and CUPTI is a stand-in.
#include "profiler/attribution.h"
#include "profiler/device_curve.h"
#include "tests/bench/ratio.h"
#include "tests/profiler/fake_machine.h"
#include "tests/profiler/simulated_steps.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace binade::bench {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void attribution() {
  std::vector<double> errors;
  double worst_long = 0;
  for (unsigned seed = 7; seed < 15; ++seed) {
    const test::SimulatedSteps steps({.seed = seed});
    for (const profiler::OpShare& share : profiler::attribute(steps.kernels, steps.samples).ops) {
      const double error = std::abs(share.percent - steps.truth[share.op - 1]);
      errors.push_back(error);
      if (steps.durations[share.op - 1] > 20e3) worst_long = std::max(worst_long, error);
    }
  }
  std::sort(errors.begin(), errors.end());
  double mean = 0;
  for (const double error : errors) mean += error / static_cast<double>(errors.size());
  const std::string name = "profiler.attribution";
  print_figure(name, "60 ops, 50 us: mean error", exactly(mean), "points", 0.5);
  print_figure(name, "60 ops, 50 us: 95th percentile", exactly(errors[errors.size() * 95 / 100]), "points", 1.5);
  print_figure(name, "60 ops, 50 us: largest above 20 us", exactly(worst_long), "points", 5);
  double shift = 0;
  for (const double offset : {-25e3, -7e3, 3.3e3, 12e3, 31e3}) {
    const test::SimulatedSteps steps({.offset = offset});
    const auto found = profiler::attribute(steps.kernels, steps.samples);
    shift = std::max(shift, std::abs(1e6 * found.shift_seconds + 1e-3 * offset));
  }
  print_figure(name, "clock shift: largest error", exactly(shift), "us", 1);
  const test::SimulatedSteps large({.ops = 200});
  std::vector<double> milliseconds;
  for (int i = 0; i < 31; ++i) {
    const auto start = Clock::now();
    profiler::attribute(large.kernels, large.samples);
    milliseconds.push_back(1e3 * seconds_since(start));
  }
  print_figure(name, "200 ops, 50 steps: solved", median_interval(milliseconds), "ms", 50);
}

/// Time to set and remove one mark, in nanoseconds. The stand-in is cheaper than CUPTI, whose share only a GPU shows.
void marks() {
  test::FakeMachine machine;
  profiler::Monitor monitor([&] { return machine.parts(); });
  monitor.start({.curve = false});
  constexpr int kMarks = 100'000;
  std::vector<double> nanoseconds;
  for (int round = 0; round < 31; ++round) {
    const auto start = Clock::now();
    for (int i = 0; i < kMarks; ++i) {
      monitor.push(profiler::op_key(i, profiler::Phase::kForward));
      monitor.pop();
    }
    nanoseconds.push_back(1e9 * seconds_since(start) / kMarks);
  }
  print_figure("profiler.marks", "push and pop", median_interval(nanoseconds), "ns", 100);
}

/// Share of a core used by sampling at 20,000 samples a second with 7 metrics.
void decode() {
  test::FakeMachine machine;
  auto source = profiler::make_pm_source(machine.cupti.functions(), machine.driver, 0,
                                         profiler::probe_counters(*machine.driver, machine.cupti.library(), 0));
  profiler::DeviceCurve curve(std::move(source), {});
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  const auto start = Clock::now();
  const std::size_t samples = curve.counts().samples;
  std::this_thread::sleep_for(std::chrono::seconds(3));
  getrusage(RUSAGE_SELF, &after);
  const double elapsed = seconds_since(start);
  const auto cpu = [](const rusage& used) {
    return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  };
  const double rate = static_cast<double>(curve.counts().samples - samples) / elapsed;
  std::fprintf(stderr, "%.0f samples a second\n", rate);
  print_figure("profiler.decode", "20,000 samples a second, 7 metrics",
               exactly(100 * (cpu(after) - cpu(before)) / elapsed), "% of a core", 5);
}

}  // namespace

}  // namespace binade::bench

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  using namespace binade::bench;
  if (what.empty() || what == "attribution") attribution();
  if (what.empty() || what == "marks") marks();
  if (what.empty() || what == "decode") decode();
  return 0;
}
