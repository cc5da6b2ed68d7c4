// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/measure_device.h"

#include "engine/observe/device_launch.h"
#include "engine/observe/measure.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

namespace binade::observe {

namespace {
constexpr std::int64_t kCounts =
    10;  // fields before the binades: count, zero, +inf, -inf, nan, over, under, max, min, squares

constexpr std::int64_t kRow = kCounts + formats::kBinades;
constexpr std::int64_t kTallyRow = sizeof(device::Tally) / sizeof(double);  // the tally's bits, viewed as float64
static_assert(kTallyRow != kRow && device::kFineCells == formats::kBinades * formats::kSteps);

/// Measures with ATen ops.
at::Tensor row_of(const at::Tensor& tensor, const formats::Format& watched) {
  // In float64 no value of a smaller format is subnormal, so its exponent field is its binade.
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

void add_counts(const double* numbers, formats::TensorStats& stats) {
  const auto count = [&](int i) { return static_cast<std::uint64_t>(numbers[i]); };
  formats::TensorStats seen;
  seen.count = count(0);
  seen.zero = count(1);
  seen.positive_infinity = count(2);
  seen.negative_infinity = count(3);
  seen.nan = count(4);
  seen.overflow = count(5);
  seen.underflow = count(6);
  seen.largest = static_cast<float>(numbers[7]);
  seen.smallest = static_cast<float>(numbers[8]);
  seen.sum_of_squares = numbers[9];
  for (std::size_t i = 0; i < seen.binades.size(); ++i) {
    seen.binades[i] = static_cast<std::uint32_t>(numbers[kCounts + static_cast<std::int64_t>(i)]);
  }
  formats::add(stats, seen);
}

std::vector<formats::FineCount> fine_of(const double* numbers) {
  std::vector<formats::FineCount> counts;
  for (int i = 0; i < static_cast<int>(device::kFineCells); ++i) {
    device::FineCell cell;
    std::memcpy(&cell, numbers + std::ptrdiff_t{2} * i, sizeof cell);
    if (cell.count == 0) continue;
    counts.push_back({{i / formats::kSteps + formats::kFirstBinade, i % formats::kSteps}, cell.count, cell.squares});
  }
  return counts;
}

}  // namespace

at::Tensor device_row(const at::Tensor& tensor, const formats::Format& watched, formats::Depth depth) {
  return device_rows({&tensor, 1}, watched, depth)[0];
}

at::Tensor device_rows(std::span<const at::Tensor> tensors, const formats::Format& watched, formats::Depth depth) {
  const DeviceKernel* kernel = DeviceKernel::of(tensors[0].device());
  if (kernel == nullptr) {
    std::vector<at::Tensor> rows;
    for (const at::Tensor& tensor : tensors) rows.push_back(row_of(tensor, watched));
    return at::stack(rows);
  }
  std::vector<at::Tensor> values;
  for (const at::Tensor& tensor : tensors) values.push_back(values_of(tensor));
  const at::Tensor rows = at::zeros({static_cast<std::int64_t>(tensors.size()), row_size(depth)},
                                    tensors[0].options().layout(at::kStrided).dtype(at::kDouble));
  // LibTorch's allocator does not reuse the memory of `values` before this stream has finished with it.
  for (const PlannedLaunch& planned : launches_of(values, watched, depth, rows)) kernel->launch(planned);
  return rows;
}

bool add_to_device_row(const at::Tensor& tensor, const formats::Format& watched, formats::Depth depth,
                       const at::Tensor& row) {
  const DeviceKernel* kernel = DeviceKernel::of(tensor.device());
  if (kernel == nullptr) return false;
  const at::Tensor values = values_of(tensor);
  for (const PlannedLaunch& planned : launches_of({&values, 1}, watched, depth, row)) kernel->launch(planned);
  return true;
}

formats::TensorStats stats_of(const device::Tally& tally) {
  formats::TensorStats stats;
  stats.zero = tally.zero;
  stats.positive_infinity = tally.positive_infinity;
  stats.negative_infinity = tally.negative_infinity;
  stats.nan = tally.nan;
  stats.count = stats.zero + stats.non_finite();
  const auto put = [&](std::size_t bin, std::uint64_t count) {
    stats.binades[bin] = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, ~std::uint32_t{0}));
    stats.count += count;
  };
  for (std::size_t i = 0; i < 23; ++i) put(i, tally.subnormals[i]);
  for (std::size_t e = 1; e < 255; ++e) put(e + 22, tally.exponents[e]);
  stats.largest = std::bit_cast<float>(tally.largest);
  if (tally.inverse_of_smallest != 0) stats.smallest = std::bit_cast<float>(~tally.inverse_of_smallest);
  stats.sum_of_squares = tally.sum_of_squares;
  stats.overflow = tally.counts[0][device::kOverflow];
  stats.underflow = tally.counts[0][device::kZero];
  if (tally.formats < device::kFormats) return stats;
  formats::NamedCounts& named = stats.named.emplace();
  for (std::size_t i = 0; i < named.size(); ++i) {
    const auto& counts = tally.counts[i + 1];
    const auto& squares = tally.squares[i + 1];
    named[i] = {counts[device::kZero],  counts[device::kSubnormal],  counts[device::kOverflow],
                squares[device::kZero], squares[device::kSubnormal], squares[device::kOverflow]};
  }
  return stats;
}

void add_row(const at::Tensor& row, const formats::Format& watched, at::ScalarType dtype, formats::TensorStats& stats) {
  if (row.numel() == kRow) {
    add_counts(row.const_data_ptr<double>(), stats);
  } else {
    device::Tally tally;
    std::memcpy(&tally, row.const_data_ptr(), sizeof tally);
    formats::TensorStats seen = stats_of(tally);
    if (row.numel() > kTallyRow) seen.fine = fine_of(row.const_data_ptr<double>() + kTallyRow);
    formats::add(stats, seen);
  }
  stats.censored = stats.censored || holds(dtype, watched);
}

}  // namespace binade::observe
