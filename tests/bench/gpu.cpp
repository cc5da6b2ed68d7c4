// SPDX-License-Identifier: Apache-2.0
//
// bench_gpu [STAGE] | bench_gpu run CASE | bench_gpu record FILE
// What can only be measured where a GPU is: whether kernel records and sampling run together, how the live figure
// agrees with the operations done, what both cost, the shortest interval, the lag. gpu.py adds the comparison with ncu,
// for which `run CASE` does nothing but the products. Without a GPU each stage prints why it did not run.
#include "engine/host/open_cuda.h"
#include "profiler/clock.h"
#include "profiler/monitor.h"
#include "profiler/peak.h"
#include "profiler/recording.h"
#include "tests/bench/ratio.h"

#include <nlohmann/json.hpp>

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace binade::bench {

namespace {

using Clock = std::chrono::steady_clock;
using profiler::Channel;

struct Case {
  const char* name;
  std::int64_t size;
  at::ScalarType dtype;
  bool tf32;
};
constexpr Case kCases[] = {{"bfloat16-8192", 8192, at::kBFloat16, false}, {"bfloat16-4096", 4096, at::kBFloat16, false},
                           {"bfloat16-2048", 2048, at::kBFloat16, false}, {"float16-8192", 8192, at::kHalf, false},
                           {"tfloat32-4096", 4096, at::kFloat, true},     {"float32-2048", 2048, at::kFloat, false}};

/// The products of one case on the first GPU.
class Products {
 public:
  explicit Products(const Case& of) : case_(of) {
    at::globalContext().setAllowTF32CuBLAS(of.tf32);
    const auto options = at::TensorOptions().device(at::kCUDA).dtype(of.dtype);
    a_ = at::randn({of.size, of.size}, options);
    b_ = at::randn({of.size, of.size}, options);
  }
  void run(int count) {
    for (int i = 0; i < count; ++i) c_ = at::mm(a_, b_);
  }
  /// Waits for the device.
  void wait() { c_.slice(0, 0, 1).slice(1, 0, 1).cpu(); }
  double operations() const { return 2.0 * static_cast<double>(case_.size * case_.size * case_.size); }

 private:
  Case case_;
  at::Tensor a_, b_, c_;
};

void print(const nlohmann::ordered_json& line) {
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
}

void not_run(const char* stage, const std::string& state, const std::string& why) {
  print({{"bench", "gpu"}, {"case", stage}, {"state", state}, {"reason", why}});
}

/// Runs the products for a while under `monitor`'s eyes; returns seconds and products done.
std::pair<double, int> busy(Products& products, double seconds) {
  products.run(3);
  products.wait();
  const auto start = Clock::now();
  int count = 0;
  while (std::chrono::duration<double>(Clock::now() - start).count() < seconds) {
    products.run(8);
    products.wait();
    count += 8;
  }
  return {std::chrono::duration<double>(Clock::now() - start).count(), count};
}

double mean_of(const std::vector<profiler::Bin>& bins, Channel channel, double above) {
  double sum = 0, weight = 0;
  for (const profiler::Bin& bin : bins) {
    const auto value = static_cast<double>(bin.values[channel]);
    if (!(static_cast<double>(bin.values[Channel::kSmActive]) > above) || !(value >= 0)) continue;
    sum += value * bin.covered;
    weight += bin.covered;
  }
  return weight > 0 ? sum / weight : -1;
}

/// Kernel records and sampling at once, and the live figure beside the operations done.
void together() {
  for (const Case& each : kCases) {
    Products products(each);
    profiler::Monitor monitor;
    monitor.start({.interval = std::chrono::microseconds(20)});
    monitor.push(profiler::op_key(0, profiler::Phase::kForward));
    const auto [seconds, count] = busy(products, 2);
    monitor.pop();
    std::this_thread::sleep_for(std::chrono::milliseconds(1300));
    const profiler::Monitor::State state = monitor.state();
    const auto bins = monitor.take_bins();
    const auto ops = monitor.take_ops();
    monitor.stop();
    double percent = -1, busy_seconds = 0;
    std::string kernel;
    for (const auto& op : ops) {
      if (op.op == profiler::kOutsideOps) continue;
      percent = op.percent;
      busy_seconds = op.seconds;
      if (!op.kernels.empty()) kernel = op.kernels.front().name;
    }
    const double teraflops = busy_seconds > 0 ? 1e-12 * products.operations() * count / busy_seconds : 0;
    const profiler::QuotedPeak* peak = profiler::quoted_peak(state.chip);
    nlohmann::ordered_json line{{"bench", "gpu.together"},
                                {"case", each.name},
                                {"state", std::string(name(state.curve.code))},
                                {"samples", state.samples.samples},
                                {"kernels", state.kernels.kernels},
                                {"unattributed", state.kernels.unattributed},
                                {"dropped", state.kernels.dropped},
                                {"live_percent", mean_of(bins, Channel::kTensor, 90)},
                                {"call_percent", percent},
                                {"teraflops", teraflops},
                                {"shift_us", 1e6 * state.shift_seconds},
                                {"kernel", kernel},
                                {"pass", state.samples.samples > 0 && state.kernels.kernels > 0}};
    if (peak != nullptr) line["quoted_peak"] = each.tf32 ? peak->tfloat32 : peak->float16;
    print(line);
  }
}

/// What watching costs: time under the monitor ÷ without it.
void overhead() {
  struct Way {
    const char* name;
    bool curve, kernels;
  };
  Products products(kCases[1]);
  for (const Way& way : {Way{"kernel records", false, true}, Way{"sampling", true, false}, Way{"both", true, true}}) {
    std::vector<double> ratios;
    for (int round = 0; round < 31; ++round) {
      double seconds[2];
      for (const int watched : {round % 2, 1 - round % 2}) {
        profiler::Monitor monitor;
        if (watched == 1) monitor.start({.curve = way.curve, .kernels = way.kernels});
        products.run(8);
        products.wait();
        const auto start = Clock::now();
        products.run(64);
        products.wait();
        seconds[watched] = std::chrono::duration<double>(Clock::now() - start).count();
      }
      ratios.push_back(seconds[1] / seconds[0]);
    }
    print_ratio("gpu.overhead", way.name, median_interval(ratios), 1.03);
  }
}

/// The shortest interval that loses nothing, decoding's share of a core, the lag of the newest bin.
void intervals() {
  Products products(kCases[1]);
  for (const int microseconds : {1000, 500, 200, 100, 50, 20, 10, 5}) {
    profiler::Monitor monitor;
    monitor.start({.kernels = false, .interval = std::chrono::microseconds(microseconds)});
    const auto [seconds, count] = busy(products, 1.5);
    const auto now = profiler::now_ns();
    const auto bins = monitor.take_bins();
    const profiler::Monitor::State state = monitor.state();
    const double lag =
        bins.empty() ? -1
                     : 1e-6 * (static_cast<double>(now) - static_cast<double>(bins.back().start + bins.back().width));
    print({{"bench", "gpu.intervals"},
           {"case", std::to_string(microseconds) + " us"},
           {"state", std::string(name(state.curve.code))},
           {"samples", state.samples.samples},
           {"restarts", state.samples.restarts},
           {"decode_percent", 100 * state.samples.decode_seconds / seconds},
           {"longest_decode_ms", 1e3 * state.samples.longest_decode},
           {"lag_ms", lag}});
  }
}

/// Samples and kernels of two kinds of products, as test data.
int record(const std::string& file) {
  profiler::Parts parts = profiler::open_parts();
  if (!parts.driver) return 1;
  const profiler::Counters counters = profiler::probe_counters(*parts.driver, parts.cupti, 0);
  if (!counters.state.ok()) return 1;
  profiler::Recording recording;
  recording.chip = counters.chip;
  recording.metric = counters.choice.metrics.front().name;
  recording.note = "bench_gpu record: bfloat16 products of 4096, then float32 of 2048";
  auto kernels = profiler::make_activity_source(parts.cupti.functions);
  if (!kernels->start().ok()) return 1;
  profiler::DeviceCurve curve(profiler::make_pm_source(parts.cupti.functions, parts.driver, 0, counters), {});
  int site = 0;
  for (const Case* each : {&kCases[1], &kCases[5]}) {
    Products products(*each);
    kernels->push(profiler::op_key(site++, profiler::Phase::kForward));
    busy(products, 0.05);
    kernels->pop();
  }
  curve.stop();
  for (int i = 0; i < 5; ++i) {
    kernels->flush();
    const auto taken = kernels->take();
    recording.kernels.insert(recording.kernels.end(), taken.begin(), taken.end());
  }
  kernels->stop();
  recording.names = kernels->names();
  recording.samples = curve.take_samples();
  std::ofstream out(file);
  write(out, recording);
  return out ? 0 : 1;
}

}  // namespace

int run(const std::vector<std::string>& arguments) {
  const std::string no_cuda = host::open_cuda();
  const std::string what = arguments.empty() ? "" : arguments[0];
  const profiler::Readiness ready = profiler::look(profiler::open_parts(), 0);
  const bool can = no_cuda.empty() && ready.cuda.ok();
  print({{"bench", "gpu.probe"},
         {"case", ready.device.empty() ? "no device" : ready.device},
         {"cuda", std::string(name(ready.cuda.code))},
         {"cupti", std::string(name(ready.cupti.code))},
         {"nvml", std::string(name(ready.nvml.code))},
         {"chip", ready.chip},
         {"metric", ready.metric}});
  struct Stage {
    const char* name;
    void (*run)();
  };
  for (const Stage& stage : {Stage{"together", together}, Stage{"overhead", overhead}, Stage{"intervals", intervals}}) {
    if (!what.empty() && what != stage.name) continue;
    if (can) {
      stage.run();
    } else {
      not_run(stage.name, std::string(name(ready.cuda.code)), no_cuda.empty() ? ready.cuda.sentence : no_cuda);
    }
  }
  if (!can) return 0;
  if (what == "run" && arguments.size() > 1) {
    for (const Case& each : kCases) {
      if (arguments[1] != each.name) continue;
      Products products(each);
      products.run(8);
      products.wait();
    }
  }
  return what == "record" && arguments.size() > 1 ? record(arguments[1]) : 0;
}

}  // namespace binade::bench

int main(int argc, char** argv) {
  const at::NoGradGuard no_history;
  return binade::bench::run({argv + 1, argv + argc});
}
