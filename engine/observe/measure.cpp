// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/measure.h"

#include "engine/observe/measure_kernel.h"

#include <ATen/Parallel.h>

#include <bit>
#include <mutex>

namespace binade::observe {

namespace {

constexpr std::uint32_t kInfinity = 0x7f800000u;
constexpr std::int64_t kGrain = 1 << 17;  // values a thread takes at a time

Storage storage_of(const at::Tensor& tensor) {
  switch (tensor.scalar_type()) {
    case at::kHalf:
      return Storage::kFloat16;
    case at::kBFloat16:
      return Storage::kBFloat16;
    default:
      return Storage::kFloat32;
  }
}

bool holds(const at::Tensor& tensor, const formats::Format& format) {
  return (tensor.scalar_type() == at::kHalf && format == formats::kFloat16) ||
         (tensor.scalar_type() == at::kBFloat16 && format == formats::kBFloat16);
}

Limits limits_of(const formats::Format& format) {
  // A limit beyond float32 becomes infinity, one below it 0: neither is ever reached.
  return {std::bit_cast<std::uint32_t>(static_cast<float>(format.overflow_limit())),
          std::bit_cast<std::uint32_t>(static_cast<float>(format.underflow_limit()))};
}

/// The values in one piece of memory, in any order. Channels-last tensors are dense as they are.
at::Tensor dense(const at::Tensor& tensor) {
  const at::Tensor plain = tensor.detach();
  return plain.is_non_overlapping_and_dense() ? plain : plain.contiguous();
}

Tally tally_of(const at::Tensor& tensor, const formats::Format& watched) {
  const at::Tensor values = dense(tensor);
  const Storage storage = storage_of(values);
  const Limits limits = limits_of(watched);
  const auto* data = static_cast<const char*>(values.const_data_ptr());
  const auto size = static_cast<std::int64_t>(values.element_size());
  Tally total;
  std::mutex mutex;
  at::parallel_for(0, values.numel(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    Tally part;
    measure_values(data + begin * size, storage, static_cast<std::size_t>(end - begin), limits, part);
    const std::lock_guard lock(mutex);
    total.add(part);
  });
  return total;
}

void add_tally(const Tally& tally, std::int64_t count, formats::TensorStats& stats) {
  const bool first = stats.count == 0;
  stats.count += static_cast<std::uint64_t>(count);
  stats.zero += tally.zero;
  stats.positive_infinity += tally.positive_infinity;
  stats.negative_infinity += tally.negative_infinity;
  stats.nan += tally.nan;
  stats.overflow += tally.overflow;
  stats.underflow += tally.underflow;
  stats.sum_of_squares += tally.sum_of_squares;
  stats.largest = std::max(stats.largest, std::bit_cast<float>(tally.largest));
  if (tally.smallest != kInfinity) {
    const float smallest = std::bit_cast<float>(tally.smallest);
    stats.smallest = first || stats.smallest == 0 ? smallest : std::min(stats.smallest, smallest);
  }
  for (std::size_t i = 0; i < tally.subnormals.size(); ++i) stats.binades[i] += tally.subnormals[i];
  // Biased exponent 1 is binade -126, right after the subnormals; 255 holds infinities and NaN.
  for (std::size_t e = 1; e < 255; ++e) stats.binades[e + tally.subnormals.size() - 1] += tally.exponents[e];
}

}  // namespace

bool measurable(const at::Tensor& tensor) {
  if (!tensor.defined() || tensor.layout() != at::kStrided || tensor.numel() == 0) return false;
  const at::ScalarType dtype = tensor.scalar_type();
  return dtype == at::kFloat || dtype == at::kHalf || dtype == at::kBFloat16;
}

void measure(const at::Tensor& tensor, const formats::Format& watched, formats::TensorStats& stats) {
  stats.censored = stats.censored || holds(tensor, watched);
  add_tally(tally_of(tensor, watched), tensor.numel(), stats);
}

void scan(const at::Tensor& tensor, const formats::Format& watched, formats::TensorStats& stats) {
  stats.scan = true;
  stats.censored = stats.censored || holds(tensor, watched);
  const at::Tensor values = dense(tensor);
  const Storage storage = storage_of(values);
  const auto* data = static_cast<const char*>(values.const_data_ptr());
  const auto size = static_cast<std::int64_t>(values.element_size());
  const std::uint32_t largest = at::parallel_reduce(
      std::int64_t{0}, values.numel(), kGrain, std::uint32_t{0},
      [&](std::int64_t begin, std::int64_t end, std::uint32_t so_far) {
        return std::max(so_far, largest_magnitude(data + begin * size, storage, static_cast<std::size_t>(end - begin)));
      },
      [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
  stats.count += static_cast<std::uint64_t>(values.numel());
  if (largest < limits_of(watched).overflow && largest < kInfinity) {
    stats.largest = std::max(stats.largest, std::bit_cast<float>(largest));
    return;
  }
  const Tally tally = tally_of(values, watched);
  stats.positive_infinity += tally.positive_infinity;
  stats.negative_infinity += tally.negative_infinity;
  stats.nan += tally.nan;
  stats.overflow += tally.overflow;
  stats.largest = std::max(stats.largest, std::bit_cast<float>(tally.largest));
}

}  // namespace binade::observe
