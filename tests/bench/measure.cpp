// SPDX-License-Identifier: Apache-2.0
//
// bench_measure: the pass over a tensor on one core, in cycles per element, and against torch.histc, which only counts
// bins of equal width. Cycles are timed by a chain of dependent additions, because the time-stamp counter does not run
// at the core's frequency.
#include "engine/observe/measure.h"

#include "engine/observe/measure_kernel.h"
#include "tests/bench/ratio.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/ops/histc.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>

#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace binade::bench {

namespace {

constexpr std::int64_t kCount = 1 << 20;  // 4 MB of float32: larger than the second-level cache
constexpr int kPairs = 60;
constexpr int kWarmUp = 5;

/// Takes as many cycles as the tensor has elements.
void one_cycle_an_element() {
  std::int64_t left = kCount;
  std::int64_t sum = 0;
  // Eight dependent additions per iteration; the loop counter runs in parallel.
  for (; left > 0; left -= 8) {
    asm volatile(
        "add $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\t"
        "add $1, %0\n\tadd $1, %0\n\tadd $1, %0\n\tadd $1, %0"
        : "+r"(sum));
  }
}

std::vector<formats::Limits> limits(std::size_t count) {
  std::vector<formats::Limits> all{formats::limits_of(formats::kFloat16)};
  for (const formats::Format& format : formats::kNamedFormats) all.push_back(formats::limits_of(format));
  all.resize(count);
  return all;
}

observe::Tally tally(const at::Tensor& values, const std::vector<formats::Limits>& of) {
  const auto storage = values.scalar_type() == at::kHalf       ? observe::Storage::kFloat16
                       : values.scalar_type() == at::kBFloat16 ? observe::Storage::kBFloat16
                                                               : observe::Storage::kFloat32;
  observe::Tally result;
  observe::measure_values(values.const_data_ptr(), storage, static_cast<std::size_t>(values.numel()), of, result);
  return result;
}

void cycles(const std::string& what, const at::Tensor& values, std::size_t formats, double bar) {
  const auto of = limits(formats);
  const auto ratios = interleaved_ratios([&] { tally(values, of); }, one_cycle_an_element, kPairs, kWarmUp);
  if (bar > 0) {
    print_figure("observe.measure_cycles", what, median_interval(ratios), "cycles an element", bar);
  } else {
    print_ratio("observe.measure_cycles_beside", what, median_interval(ratios));
  }
}

}  // namespace

void measure_all() {
  at::manual_seed(1);
  const at::Tensor uniform = at::rand({kCount});
  const at::Tensor normal = at::randn({kCount});
  const at::Tensor one_binade = at::rand({kCount}).add(1);
  const at::Tensor wide = at::randn({kCount}).mul(at::randn({kCount}).mul(12).exp2());
  const auto plain = limits(1);
  const auto named = limits(observe::kCountedFormats);

  cycles("histogram, uniform float32", uniform, 1, 1.25);
  cycles("histogram, normal float32", normal, 1, 1.25);
  cycles("histogram, one binade", one_binade, 1, 0);
  cycles("histogram, uniform float16", uniform.to(at::kHalf), 1, 0);
  cycles("histogram, uniform bfloat16", uniform.to(at::kBFloat16), 1, 0);
  cycles("five formats, uniform float32", uniform, named.size(), 2.0);
  cycles("five formats, normal float32", normal, named.size(), 2.0);
  cycles("five formats, 80 binades", wide, named.size(), 0);

  const auto one =
      interleaved_ratios([&] { tally(one_binade, plain); }, [&] { tally(uniform, plain); }, kPairs, kWarmUp);
  print_ratio("observe.measure_one_binade", "all in one binade / uniform", median_interval(one), 1 / 0.7);
  const auto histc =
      interleaved_ratios([&] { tally(uniform, plain); }, [&] { at::histc(uniform, 256, 0, 1); }, kPairs, kWarmUp);
  print_ratio("observe.measure_vs_histc", "histogram / torch.histc of 256 bins", median_interval(histc), 0.2);
}

}  // namespace binade::bench

int main() try {
  at::set_num_threads(1);
  binade::bench::measure_all();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_measure: %s\n", error.what());
  return 1;
}
