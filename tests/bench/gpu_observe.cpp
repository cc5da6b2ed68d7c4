// SPDX-License-Identifier: Apache-2.0
//
// The kernels that observe tensors: their speed against a copy and against torch.histc, their number of launches, and
// whether their counts equal those of the CPU's kernel.
#include "engine/observe/device_block.h"
#include "engine/observe/measure.h"
#include "engine/observe/measure_device.h"
#include "tests/bench/gpu_stages.h"
#include "tests/bench/gpu_work.h"
#include "tests/bench/ratio.h"

#include <nlohmann/json.hpp>

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/histc.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace binade::bench::gpu {

namespace {

namespace look = binade::observe;
using formats::Depth;

constexpr int kPairs = 40;
constexpr int kWarmUp = 5;
constexpr int kLaunches = 20;  ///< between two synchronisations

at::Tensor drawn(std::int64_t count) {
  return at::randn({count}, at::TensorOptions().device(at::kCUDA));
}

std::vector<double> ratios(const std::function<void()>& one, const std::function<void()>& other) {
  const auto waited = [](const std::function<void()>& work) {
    return [&work] {
      for (int i = 0; i < kLaunches; ++i) work();
      wait();
    };
  };
  return interleaved_ratios(waited(one), waited(other), kPairs, kWarmUp);
}

/// A copy reads and writes, the kernel only reads: at the same bandwidth it takes half the time.
void beside_a_copy() {
  constexpr double kShareOfBandwidth = 0.7;
  const at::Tensor values = drawn(std::int64_t{1} << 26);
  const at::Tensor copy = at::empty_like(values);
  for (const Depth depth : {Depth::kHistogram, Depth::kFormats}) {
    const auto time = median_interval(
        ratios([&] { look::device_row(values, formats::kFloat16, depth); }, [&] { copy.copy_(values); }));
    const std::string what = depth == Depth::kHistogram ? "histogram" : "histogram and five formats";
    print_figure("gpu.observe", "2^26 float32, " + what + ": half a copy's time / its time",
                 {0.5 / time.median, 0.5 / time.high, 0.5 / time.low}, "of a copy's bandwidth", kShareOfBandwidth,
                 /*smaller_is_better=*/false);
  }
}

std::vector<at::Tensor> many() {
  std::vector<at::Tensor> all;
  for (int i = 0; i < 200; ++i) all.push_back(drawn(1 << 14));
  return all;
}

void beside_histc() {
  const auto tensors = many();
  const auto time = ratios([&] { look::device_rows(tensors, formats::kFloat16, Depth::kHistogram); },
                           [&] {
                             for (const at::Tensor& each : tensors) at::histc(each, 256, -4, 4);
                           });
  print_ratio("gpu.observe", "200 tensors of 2^14: time / torch.histc of 256 bins", median_interval(time), 0.2);
}

std::size_t kernels_of(profiler::KernelSource& source, const std::function<void()>& work) {
  source.push(profiler::op_key(0, profiler::Phase::kObserve));
  work();
  source.pop();
  wait();
  std::size_t found = 0;
  for (int i = 0; i < 5; ++i) {
    source.flush();
    for (const profiler::Kernel& kernel : source.take()) {
      found += source.names().at(kernel.name).find("binade_measure") != std::string::npos ? 1 : 0;
    }
  }
  return found;
}

void launches(const Machine& machine) {
  const char* const what = "launches";
  if (!machine.kernels.ok()) {
    print_not_measured("gpu.observe", what, std::string(name(machine.kernels.code)), machine.kernels.sentence,
                       machine.kernels.next);
    return;
  }
  const auto tensors = many();
  const profiler::Parts parts = profiler::open_parts();
  auto source = profiler::make_activity_source(parts.cupti.functions);
  need(source->start());
  const std::size_t one = kernels_of(*source, [&] { look::device_row(tensors[0], formats::kFloat16); });
  const std::size_t all = kernels_of(*source, [&] { look::device_rows(tensors, formats::kFloat16); });
  source->stop();
  const std::size_t fewest = (tensors.size() + look::device::kPieces - 1) / look::device::kPieces;
  print({{"bench", "gpu.observe"},
         {"case", what},
         {"of_one_tensor", one},
         {"of_200_tensors", all},
         {"pass", one == 1 && all == fewest}});
}

/// Compares the counts for a tensor with every kind of value.
void counts() {
  at::Tensor values = at::randn({100'003}).mul(at::randn({100'003}).mul(20).exp2());
  values.slice(0, 0, 4).copy_(at::tensor({0.0F, INFINITY, -INFINITY, NAN}));
  formats::TensorStats cpu, device;
  look::measure(values, formats::kFloat16, cpu);
  look::add_row(look::device_row(values.to(at::kCUDA), formats::kFloat16).cpu(), formats::kFloat16, at::kFloat, device);
  const bool same = cpu.count == device.count && cpu.zero == device.zero && cpu.non_finite() == device.non_finite() &&
                    cpu.overflow == device.overflow && cpu.underflow == device.underflow &&
                    cpu.binades == device.binades && cpu.largest == device.largest && cpu.smallest == device.smallest;
  print({{"bench", "gpu.observe"}, {"case", "counts equal the CPU's"}, {"pass", same}});
}

}  // namespace

void observe(const Machine& machine) {
  const at::NoGradGuard no_history;
  at::manual_seed(1);
  attempt("gpu.observe", "counts equal the CPU's", counts);
  attempt("gpu.observe", "beside a copy", beside_a_copy);
  attempt("gpu.observe", "beside torch.histc", beside_histc);
  attempt("gpu.observe", "launches", [&] { launches(machine); });
}

}  // namespace binade::bench::gpu
