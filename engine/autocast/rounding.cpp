// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/rounding.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/_sparse_coo_tensor_unsafe.h>
#include <ATen/ops/bitwise_and.h>
#include <ATen/ops/bitwise_or.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/where.h>

#include <bit>
#include <limits>

namespace binade::autocast {

namespace {

constexpr std::int64_t kGrain = 1 << 15;  // values per task: 128 KiB, a part of the L2 cache

void round_span(const float* from, float* to, std::int64_t count, const formats::Rounder& rounder) {
  at::parallel_for(0, count, kGrain, [&](std::int64_t begin, std::int64_t end) {
    rounder(from + begin, to + begin, static_cast<std::size_t>(end - begin));
  });
}

at::Scalar pattern(std::uint32_t bits) {
  return static_cast<std::int64_t>(std::bit_cast<std::int32_t>(bits));
}

at::Tensor round_strided(const at::Tensor& tensor, const formats::Rounder& rounder) {
  if (!tensor.is_cpu()) return tensor.is_meta() ? at::empty_like(tensor) : round_with_aten(tensor, rounder);
  if (!tensor.is_non_overlapping_and_dense()) {
    const at::Tensor dense = tensor.clone();
    round_span(dense.const_data_ptr<float>(), dense.mutable_data_ptr<float>(), dense.numel(), rounder);
    return dense;
  }
  at::Tensor result = at::empty_like(tensor);  // keeps the strides of a dense tensor, so that both memories correspond
  round_span(tensor.const_data_ptr<float>(), result.mutable_data_ptr<float>(), tensor.numel(), rounder);
  return result;
}

}  // namespace

at::Tensor round_values(const at::Tensor& tensor, const formats::Rounder& rounder) {
  if (rounder.is_identity()) return tensor;
  const at::NoGradGuard no_history;
  if (tensor.layout() == at::kStrided) return round_strided(tensor, rounder);
  if (tensor.layout() != at::kSparse) return tensor;
  return at::_sparse_coo_tensor_unsafe(tensor._indices(), round_strided(tensor._values(), rounder), tensor.sizes(),
                                       std::nullopt, std::nullopt, std::nullopt, std::nullopt, tensor.is_coalesced());
}

void round_memory(const at::Tensor& tensor, const formats::Rounder& rounder) {
  if (rounder.is_identity() || tensor.layout() != at::kStrided || tensor.is_meta()) return;
  if (tensor.is_cpu() && tensor.is_non_overlapping_and_dense()) {
    auto* data = static_cast<float*>(tensor.unsafeGetTensorImpl()->mutable_data());
    round_span(data, data, tensor.numel(), rounder);
    return;
  }
  const at::NoGradGuard no_history;
  // An alias with a version of its own, so that the tensor's version does not change.
  at::Tensor alias = tensor.variable_data();
  alias.copy_(round_strided(alias, rounder));
}

at::Tensor round_with_aten(const at::Tensor& tensor, const formats::Rounder& rounder) {
  const formats::Rounder::Constants& c = rounder.constants();
  const at::NoGradGuard no_history;
  const at::Tensor bits = tensor.contiguous().view(at::kInt);
  const at::Tensor magnitude = at::bitwise_and(bits, pattern(0x7fffffffu));
  // NaNs are inserted at the end; up to infinity no step exceeds the range of a signed int.
  const at::Tensor number = magnitude.clamp_max(pattern(0x7f800000u));
  at::Tensor rounded = number;
  if (c.drop != 0) {
    const at::Tensor odd = number.bitwise_right_shift(static_cast<std::int64_t>(c.drop)).bitwise_and_(pattern(c.odd));
    rounded = number.add(odd).add_(pattern(c.half)).bitwise_and_(pattern(c.keep));
  }
  if (c.smallest_normal != 0) {
    const at::Tensor shifted = number.view(at::kFloat).add(c.magic).sub_(c.magic).view(at::kInt);
    rounded = at::where(number.lt(pattern(c.smallest_normal)), shifted, rounded);
  }
  rounded = rounded.masked_fill(rounded.gt(pattern(c.largest)), pattern(c.beyond));
  const at::Tensor nan = at::bitwise_or(at::bitwise_and(magnitude, pattern(c.keep)), pattern(c.nan));
  rounded = at::where(magnitude.gt(pattern(0x7f800000u)), nan, rounded);
  return at::bitwise_or(rounded, at::bitwise_and(bits, pattern(0x80000000u))).view(at::kFloat).view_as(tensor);
}

}  // namespace binade::autocast
