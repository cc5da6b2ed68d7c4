// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/measure_device.h"

#include "engine/observe/measure.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <array>

namespace binade::observe {

namespace {
constexpr std::int64_t kCounts =
    10;  // before the binades: count, zero, +inf, -inf, nan, over, under, max, min, squares
}

at::Tensor device_row(const at::Tensor& tensor, const formats::Format& watched) {
  // In float64 no value of a smaller format is subnormal, so that its exponent field is its binade.
  const at::Tensor values = values_of(tensor).reshape({-1}).to(at::kDouble);
  const at::Tensor magnitude = values.abs();
  const at::Tensor infinite = magnitude.isinf();
  const at::Tensor nan = values.isnan();
  const at::Tensor zero = magnitude.eq(0);
  const at::Tensor counted = infinite.logical_or(nan).logical_or(zero).logical_not();
  const at::Tensor finite = at::where(counted, magnitude, at::zeros({}, magnitude.options()));
  const at::Tensor largest = finite.max();
  const at::Tensor smallest = at::where(counted, magnitude, largest).min();

  const at::Tensor binade = finite.view(at::kLong).bitwise_right_shift(52).sub(1023 + formats::kFirstBinade);
  const at::Tensor bin = at::where(counted, binade, at::zeros({}, binade.options()).fill_(formats::kBinades));
  const at::Tensor bins =
      at::zeros({formats::kBinades + 1}, values.options()).scatter_add_(0, bin, at::ones_like(values));

  const auto number = [](const at::Tensor& flags) { return flags.sum().to(at::kDouble); };
  const at::Tensor counts = at::stack({
      at::ones_like(largest).mul_(static_cast<double>(values.numel())),
      number(zero),
      number(infinite.logical_and(values.gt(0))),
      number(infinite.logical_and(values.lt(0))),
      number(nan),
      number(finite.ge(watched.overflow_limit())),
      number(counted.logical_and(magnitude.le(watched.underflow_limit()))),
      largest,
      smallest,
      finite.square().sum(),
  });
  return at::cat({counts, bins.slice(0, 0, formats::kBinades)});
}

void add_row(const at::Tensor& row, const formats::Format& watched, at::ScalarType dtype, formats::TensorStats& stats) {
  const auto* numbers = row.const_data_ptr<double>();
  const auto count = [&](int i) { return static_cast<std::uint64_t>(numbers[i]); };
  stats.count += count(0);
  stats.zero += count(1);
  stats.positive_infinity += count(2);
  stats.negative_infinity += count(3);
  stats.nan += count(4);
  stats.overflow += count(5);
  stats.underflow += count(6);
  const auto largest = static_cast<float>(numbers[7]);
  const auto smallest = static_cast<float>(numbers[8]);
  stats.largest = std::max(stats.largest, largest);
  if (smallest > 0) stats.smallest = stats.smallest == 0 ? smallest : std::min(stats.smallest, smallest);
  stats.sum_of_squares += numbers[9];
  for (std::size_t i = 0; i < stats.binades.size(); ++i) {
    stats.binades[i] += static_cast<std::uint32_t>(numbers[kCounts + static_cast<std::int64_t>(i)]);
  }
  stats.censored = stats.censored || (dtype == at::kHalf && watched == formats::kFloat16) ||
                   (dtype == at::kBFloat16 && watched == formats::kBFloat16);
}

}  // namespace binade::observe
