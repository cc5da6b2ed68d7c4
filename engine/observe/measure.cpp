// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/measure.h"

#include "engine/graph/dtype_format.h"
#include "engine/observe/half_to_float.h"
#include "engine/observe/measure_kernel.h"

#include <ATen/Parallel.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/copysign.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/where.h>

#include <bit>
#include <limits>

namespace binade::observe {

namespace {

constexpr std::int64_t kChunk = 1 << 17;  // values per tally; fixed, so that the number of threads does not change the
                                          // sums
constexpr std::int64_t kFineChunk = 1 << 20;

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

/// Returns float64 values as float32; finite values stay finite and non-zero ones non-zero.
at::Tensor narrowed(const at::Tensor& values) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  const at::Tensor clamped = at::where(values.isinf(), values, at::clamp(values, -kLargest, kLargest));
  const at::Tensor narrow = clamped.to(at::kFloat);
  const at::Tensor vanished = narrow.eq(0).logical_and(values.ne(0));
  const at::Tensor smallest = at::full_like(narrow, std::numeric_limits<float>::denorm_min());
  return at::where(vanished, at::copysign(smallest, narrow), narrow);
}

at::Tensor stored_values(const at::Tensor& tensor) {
  switch (tensor.layout()) {
    case at::kStrided:
      return tensor;
    case at::kSparse:
      return tensor.coalesce().values();
    case at::kSparseCsr:
    case at::kSparseCsc:
    case at::kSparseBsr:
    case at::kSparseBsc:
      return tensor.values();
    case at::kMkldnn:
      return tensor.to_dense();
    default:
      return {};
  }
}

bool has_values(const at::Tensor& tensor) {
  if (!tensor.defined() || tensor.is_meta() || tensor.is_quantized() || tensor.is_nested()) return false;
  const at::ScalarType dtype = tensor.scalar_type();
  return c10::isFloatingType(dtype) ? dtype != at::kFloat8_e8m0fnu && dtype != at::kFloat4_e2m1fn_x2
                                    : c10::isComplexType(dtype);
}

/// Splits the values into chunks that are tallied separately and added in order.
template <class TallyType, class Measure>
TallyType chunked(const at::Tensor& values, std::int64_t chunk, const Measure& measure_chunk) {
  const auto* data = static_cast<const char*>(values.const_data_ptr());
  const auto size = static_cast<std::int64_t>(values.element_size());
  const std::int64_t count = values.numel();
  const std::int64_t chunks = (count + chunk - 1) / chunk;
  std::vector<TallyType> parts(static_cast<std::size_t>(chunks));
  at::parallel_for(0, chunks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t start = i * chunk;
      measure_chunk(data + start * size, static_cast<std::size_t>(std::min(chunk, count - start)),
                    parts[static_cast<std::size_t>(i)]);
    }
  });
  for (std::size_t i = 1; i < parts.size(); ++i) parts[0].add(parts[i]);
  return std::move(parts[0]);
}

Tally tally_of(const at::Tensor& values, std::span<const formats::Limits> limits) {
  const Storage storage = storage_of(values);
  return chunked<Tally>(values, kChunk, [&](const void* data, std::size_t count, Tally& part) {
    measure_values(data, storage, count, limits, part);
  });
}

std::vector<formats::FineCount> fine_of(const at::Tensor& values) {
  const Storage storage = storage_of(values);
  return chunked<FineTally>(
             values, kFineChunk,
             [&](const void* data, std::size_t count, FineTally& part) { part.measure_values(data, storage, count); })
      .rows();
}

std::uint32_t most(std::uint64_t count) {
  constexpr std::uint64_t kMostCounted = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::min(count, kMostCounted));
}

formats::TensorStats stats_of(const Tally& tally, std::int64_t count) {
  formats::TensorStats stats;
  stats.count = static_cast<std::uint64_t>(count);
  stats.zero = tally.zero;
  stats.positive_infinity = tally.positive_infinity;
  stats.negative_infinity = tally.negative_infinity;
  stats.nan = tally.nan;
  stats.overflow = tally.formats[0].overflow;
  stats.underflow = tally.formats[0].zero;
  stats.sum_of_squares = tally.sum_of_squares;
  stats.largest = std::bit_cast<float>(tally.largest);
  if (tally.smallest != kInfinity) stats.smallest = std::bit_cast<float>(tally.smallest);
  for (std::size_t i = 0; i < tally.subnormals.size(); ++i) stats.binades[i] = most(tally.subnormals[i]);
  // Biased exponent 1 is binade -126, next to the subnormals; 255 holds infinities and NaN.
  for (std::size_t e = 1; e < 255; ++e) stats.binades[e + tally.subnormals.size() - 1] = most(tally.exponents[e]);
  return stats;
}

/// Returns whether a tensor's memory can be measured directly. Nearly all are.
bool is_plain(const at::Tensor& tensor) {
  if (!tensor.defined() || tensor.layout() != at::kStrided || tensor.is_neg() || tensor.is_meta()) return false;
  const at::ScalarType dtype = tensor.scalar_type();
  const bool known = dtype == at::kFloat || dtype == at::kHalf || dtype == at::kBFloat16;
  return known && !tensor.is_nested() && tensor.is_non_overlapping_and_dense();
}

}  // namespace

at::Tensor values_of(const at::Tensor& tensor) {
  if (!has_values(tensor)) return {};
  at::Tensor values = stored_values(tensor.detach());
  if (!values.defined()) return {};
  if (values.is_complex()) values = at::view_as_real(values.resolve_conj());
  if (values.is_neg()) values = values.resolve_neg();
  const at::ScalarType dtype = values.scalar_type();
  if (dtype == at::kDouble) {
    values = narrowed(values);
  } else if (dtype != at::kFloat && dtype != at::kHalf && dtype != at::kBFloat16) {
    values = values.to(at::kFloat);
  }
  // Channels-last tensors are dense already, and the order does not matter.
  return values.is_non_overlapping_and_dense() ? values : values.contiguous();
}

bool holds(at::ScalarType dtype, const formats::Format& format) {
  return graph::narrow_format(dtype) == format;
}

bool measurable(const at::Tensor& tensor) {
  if (!has_values(tensor)) return false;
  return tensor.layout() == at::kStrided || tensor.layout() == at::kMkldnn ? tensor.numel() > 0
                                                                           : stored_values(tensor).numel() > 0;
}

void measure(const at::Tensor& tensor, const formats::Format& watched, formats::TensorStats& stats,
             formats::Depth depth) {
  const at::Tensor values = is_plain(tensor) ? tensor : values_of(tensor);
  if (!values.defined() || values.numel() == 0) return;
  std::array<formats::Limits, kCountedFormats> limits;
  limits[0] = formats::limits_of(watched);
  for (std::size_t i = 1; i < limits.size(); ++i) limits[i] = formats::limits_of(formats::kNamedFormats[i - 1]);
  const bool named = depth != formats::Depth::kHistogram;
  const Tally tally = tally_of(values, std::span(limits).first(named ? limits.size() : 1));

  formats::TensorStats seen = stats_of(tally, values.numel());
  seen.censored = holds(tensor.scalar_type(), watched);
  if (named) std::copy(tally.formats.begin() + 1, tally.formats.end(), seen.named.emplace().begin());
  if (depth == formats::Depth::kWhatIf) seen.fine = fine_of(values);
  formats::add(stats, seen);
}

void scan(const at::Tensor& tensor, const formats::Format& watched, formats::TensorStats& stats) {
  const at::Tensor values = is_plain(tensor) ? tensor : values_of(tensor);
  stats.scan = true;
  if (!values.defined() || values.numel() == 0) return;
  stats.censored = stats.censored || holds(tensor.scalar_type(), watched);
  const Storage storage = storage_of(values);
  const auto* data = static_cast<const char*>(values.const_data_ptr());
  const auto size = static_cast<std::int64_t>(values.element_size());
  const std::uint32_t largest = at::parallel_reduce(
      std::int64_t{0}, values.numel(), kChunk, std::uint32_t{0},
      [&](std::int64_t begin, std::int64_t end, std::uint32_t so_far) {
        return std::max(so_far, largest_magnitude(data + begin * size, storage, static_cast<std::size_t>(end - begin)));
      },
      [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
  stats.count += static_cast<std::uint64_t>(values.numel());
  const formats::Limits limits = formats::limits_of(watched);
  if (largest < limits.overflow && largest < kInfinity) {
    stats.largest = std::max(stats.largest, std::bit_cast<float>(largest));
    return;
  }
  const Tally tally = tally_of(values, std::span(&limits, 1));
  stats.positive_infinity += tally.positive_infinity;
  stats.negative_infinity += tally.negative_infinity;
  stats.nan += tally.nan;
  stats.overflow += tally.formats[0].overflow;
  stats.largest = std::max(stats.largest, std::bit_cast<float>(tally.largest));
}

}  // namespace binade::observe
