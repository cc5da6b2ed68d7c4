// SPDX-License-Identifier: Apache-2.0
//
// The device's counters for matrix products, whose use of tensor cores is known.
#include "engine/formats/error.h"
#include "profiler/clock.h"
#include "profiler/peak.h"
#include "tests/bench/gpu_stages.h"
#include "tests/bench/gpu_work.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <thread>

namespace binade::bench::gpu {

using profiler::Channel;

void need(const profiler::Status& status) {
  if (!status.ok()) throw Error(ErrorCode::kInternal, status.sentence, status.next);
}

void attempt(const char* bench, const std::string& what, const std::function<void()>& make) {
  try {
    make();
  } catch (const std::exception& error) {
    print({{"bench", bench}, {"case", what}, {"state", "failed"}, {"reason", error.what()}, {"pass", false}});
  }
}

namespace {

using nlohmann::ordered_json;

/// What the monitor measured for one kind of product.
struct Watched {
  profiler::Monitor::State state;
  std::vector<profiler::Bin> bins;
  profiler::OpFigures op;  ///< percent below 0: not measured
  int products = 0;
};

Watched watch(const ProductCase& of, double seconds) {
  Products products(of);
  profiler::Monitor monitor;
  monitor.start({});
  monitor.push(profiler::op_key(0, profiler::Phase::kForward));
  Watched seen;
  seen.products = busy(products, seconds);
  monitor.pop();
  monitor.catch_up();
  seen.state = monitor.state();
  seen.bins = monitor.take_bins();
  for (profiler::OpFigures& op : monitor.take_ops()) {
    if (op.op != profiler::kOutsideOps) seen.op = std::move(op);
  }
  return seen;
}

void add(ordered_json& line, const char* key, const std::optional<double>& value) {
  if (value) line[key] = *value;
}

/// Returns the dense tensor-core operations of one multiprocessor per cycle, or nullopt if unknown.
std::optional<double> operations_a_cycle(const std::string& chip, const ProductCase& of) {
  if (of.dtype == at::kFloat && !of.tf32) return std::nullopt;
  const double half = of.tf32 ? 0.5 : 1;
  if (chip == "GH100") return 4096 * half;
  if (chip == "GA100") return 2048 * half;
  return std::nullopt;
}

/// An independent estimate, from operations, time and clock.
std::optional<double> percent_by_operations(const Watched& seen, const ProductCase& of, double operations) {
  const auto rate = operations_a_cycle(seen.state.chip, of);
  const auto clock = mean_of(seen.bins, Channel::kClock, 0);
  constexpr int kMultiprocessors = 16;  // cudaDevAttrMultiProcessorCount
  const int multiprocessors = device_attribute(kMultiprocessors);
  if (!rate || !clock || multiprocessors == 0 || seen.op.seconds <= 0) return std::nullopt;
  return 100 * operations * seen.products / (*rate * multiprocessors * *clock * seen.op.seconds);
}

std::size_t kernels_of(profiler::KernelSource& source, Products& products, int count) {
  source.push(profiler::op_key(0, profiler::Phase::kForward));
  products.run(count);
  source.pop();
  wait();
  std::size_t kernels = 0;
  for (int i = 0; i < 5; ++i) {
    source.flush();
    kernels += source.take().size();
  }
  return kernels;
}

void agree_on(const ProductCase& of) {
  const Watched seen = watch(of, 2);
  need(seen.state.curve);
  need(seen.state.ops);
  const double operations = Products(of).operations();
  ordered_json line{{"bench", "gpu.agree"}, {"case", of.name}};
  if (seen.op.percent < 0) {
    line["state"] = "not-determined";
    line["reason"] = "The samples do not determine a figure.";
    line["pass"] = false;
    print(line);
    return;
  }
  line["live_percent"] = seen.op.percent;
  line["error"] = seen.op.error;
  line["us"] = 1e6 * seen.op.seconds / seen.products;
  line["teraflops"] = 1e-12 * operations * seen.products / seen.op.seconds;
  line["shift_us"] = 1e6 * seen.state.shift_seconds;
  add(line, "by_operations", percent_by_operations(seen, of, operations));
  add(line, "clock_hz", mean_of(seen.bins, Channel::kClock, 0));
  if (!seen.op.kernels.empty()) line["kernel"] = seen.op.kernels.front().name;
  if (const profiler::QuotedPeak* peak = profiler::quoted_peak(seen.state.chip)) {
    line["quoted_peak"] = of.tf32 ? peak->tfloat32 : of.dtype == at::kFloat ? peak->float32 : peak->float16;
  }
  // Without tensor cores the figure must be near 0; other cases are judged by ncu.
  if (of.dtype == at::kFloat && !of.tf32) line["pass"] = seen.op.percent <= 0.5;
  print(line);
}

void sample_every(int microseconds, Products& products) {
  constexpr double kPollMilliseconds = 20;
  profiler::Monitor monitor;
  monitor.start({.kernels = false, .interval = std::chrono::microseconds(microseconds)});
  need(monitor.state().curve);
  const auto start = profiler::now_ns();
  busy(products, 1.5);
  const auto now = profiler::now_ns();
  const auto bins = monitor.take_bins();
  const profiler::Monitor::State state = monitor.state();
  const double seconds = 1e-9 * static_cast<double>(now - start);
  ordered_json line{{"bench", "gpu.intervals"},
                    {"case", std::to_string(microseconds) + " us"},
                    {"curve", std::string(name(state.curve.code))},
                    {"samples", state.samples.samples},
                    {"expected", std::round(seconds / (1e-6 * microseconds))},
                    {"discarded", state.samples.discarded},
                    {"gaps", state.samples.gaps},
                    {"restarts", state.samples.restarts},
                    {"decode_percent", 100 * state.samples.decode_seconds / seconds},
                    {"longest_decode_ms", 1e3 * state.samples.longest_decode}};
  if (!bins.empty()) {
    const auto end = bins.back().start + bins.back().width;
    line["lag_ms"] = 1e-6 * (static_cast<double>(now) - static_cast<double>(end));
  }
  // The intervals that Binade uses must not lose samples, and decoding must take well under one poll.
  if (microseconds >= 20) {
    line["pass"] = state.samples.restarts == 0 && state.samples.gaps == 0 &&
                   1e3 * state.samples.longest_decode < kPollMilliseconds / 2;
  }
  print(line);
}

}  // namespace

void together(const Machine&) {
  const ProductCase& of = product_case("bfloat16-4096");
  const Watched seen = watch(of, 1);
  ordered_json line{{"bench", "gpu.together"},
                    {"case", of.name},
                    {"samples", seen.state.samples.samples},
                    {"kernels", seen.state.kernels.kernels},
                    {"outside_ops", seen.state.kernels.unattributed},
                    {"dropped", seen.state.kernels.dropped},
                    {"curve", std::string(name(seen.state.curve.code))},
                    {"ops", std::string(name(seen.state.ops.code))}};
  add(line, "clock_hz", mean_of(seen.bins, Channel::kClock, 0));
  line["pass"] = seen.state.samples.samples > 0 && seen.state.kernels.kernels > 0;
  print(line);
}

void order(const Machine&) {
  constexpr int kProducts = 50;
  Products products(product_case("bfloat16-2048"));
  products.run(3);
  wait();
  profiler::Parts parts = profiler::open_parts();
  const profiler::Counters counters = profiler::probe_counters(*parts.driver, parts.cupti, 0);
  need(counters.state);
  const auto sampling = [&] {
    return profiler::DeviceCurve(profiler::make_pm_source(parts.cupti.functions, parts.driver, 0, counters), {});
  };
  auto kernels = profiler::make_activity_source(parts.cupti.functions);
  need(kernels->start());
  const std::size_t alone = kernels_of(*kernels, products, kProducts);
  std::size_t beside = 0, after = 0, second_first = 0;
  std::string second;
  {
    profiler::DeviceCurve curve = sampling();
    need(curve.status());
    beside = kernels_of(*kernels, products, kProducts);
    profiler::DeviceCurve other = sampling();
    second = std::string(name(other.status().code));
  }
  after = kernels_of(*kernels, products, kProducts);
  kernels->stop();
  {
    profiler::DeviceCurve curve = sampling();
    need(curve.status());
    auto late = profiler::make_activity_source(parts.cupti.functions);
    need(late->start());
    second_first = kernels_of(*late, products, kProducts);
    late->stop();
  }
  print({{"bench", "gpu.order"},
         {"case", std::to_string(kProducts) + " products"},
         {"kernels_alone", alone},
         {"beside_sampling", beside},
         {"after_sampling", after},
         {"sampling_first", second_first},
         {"second_sampler", second},
         {"pass", alone > 0 && beside == alone && after == alone && second_first == alone && second != "running"}});
}

void agree(const Machine&) {
  for (const ProductCase& of : product_cases()) {
    attempt("gpu.agree", of.name, [&] { agree_on(of); });
  }
}

void intervals(const Machine&) {
  Products products(product_case("bfloat16-4096"));
  for (const int microseconds : {50, 20, 100, 10, 5, 200, 500, 1000}) {
    attempt("gpu.intervals", std::to_string(microseconds) + " us", [&] { sample_every(microseconds, products); });
  }
}

void gpm(const Machine&) {
  Products products(product_case("bfloat16-4096"));
  profiler::Parts parts = profiler::open_parts();
  const profiler::Counters counters = profiler::probe_counters(*parts.driver, parts.cupti, 0);
  need(counters.state);
  profiler::DeviceCurve fine(profiler::make_pm_source(parts.cupti.functions, parts.driver, 0, counters), {});
  profiler::DeviceCurve coarse(profiler::make_gpm_source(parts.nvml, parts.driver, 0), {});
  need(fine.status());
  need(coarse.status());
  products.run(1000);  // without pauses, so that both means cover the same work
  wait();
  products.run(10'000);
  wait();
  fine.stop();
  coarse.stop();
  const auto ours = fine.take_bins();
  const auto theirs = coarse.take_bins();
  ordered_json line{{"bench", "gpu.gpm"}, {"case", "bfloat16-4096"}};
  const auto counted = mean_of(ours, Channel::kTensor, 90);
  const auto told = mean_of(theirs, Channel::kTensor, 90);
  add(line, "pm_percent", counted);
  add(line, "gpm_percent", told);
  add(line, "pm_clock_hz", mean_of(ours, Channel::kClock, 90));
  add(line, "gpm_clock_hz", mean_of(theirs, Channel::kClock, 90));
  if (counted && told) {
    line["value"] = std::abs(*counted - *told);
    line["unit"] = "points";
  } else {
    line["state"] = "not-determined";
    line["reason"] = "One of the two gave no sample of a busy device.";
    line["pass"] = false;
  }
  print(line);
}

}  // namespace binade::bench::gpu
