// SPDX-License-Identifier: Apache-2.0
#include "engine/evidence/cast_loss.h"

#include "engine/observe/measure.h"
#include "engine/silent/underflow.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <cmath>

namespace binade::evidence {

namespace {

/// Returns the number up to which the format holds all integers.
double exact_up_to(const formats::Format& format) {
  return std::ldexp(1.0, format.mantissa_bits + 1);
}

/// Figures of one part of a tensor.
struct CastPart {
  at::Tensor sums;     ///< non-zero values, those of them that become 0, squares of both, changed values
  at::Tensor largest;  ///< largest finite magnitude
  at::Tensor whole;    ///< whether all values are integers
};

CastPart part_of(const at::Tensor& before, const at::Tensor& after) {
  const at::Tensor was = before.to(at::kDouble);
  const at::Tensor is = after.to(at::kDouble);
  const at::Tensor finite = at::isfinite(was);
  const at::Tensor occupied = finite.logical_and(was.ne(0));
  const at::Tensor gone = occupied.logical_and(is.eq(0));
  const at::Tensor values = at::where(occupied, was, 0.0);
  const at::Tensor squares = values.square();
  const auto count = [](const at::Tensor& mask) { return mask.sum().to(at::kDouble); };
  return {at::stack({count(occupied), count(gone), squares.sum(), at::where(gone, squares, 0.0).sum(),
                     count(was.ne(is).logical_and(finite))}),
          values.abs().max(), was.eq(was.round()).all()};
}

}  // namespace

bool may_lose(const at::Tensor& before, const formats::Format& format) {
  if (!before.is_cpu()) return true;
  const at::NoGradGuard no_history;
  if (!before.is_floating_point()) {
    return before.abs().max().item<double>() > exact_up_to(format);
  }
  formats::TensorStats stats;
  observe::scan(before, format, stats);
  const auto largest = static_cast<double>(stats.largest);
  if (largest == 0) return false;
  // Values that become 0 are at most the limit, and the norm is at least the largest value.
  const double most = format.underflow_limit() * std::sqrt(static_cast<double>(stats.count)) / largest;
  return most >= silent::kNotableLoss || largest > exact_up_to(format);
}

at::Tensor cast_loss(const at::Tensor& before, const at::Tensor& after, const formats::Format& format) {
  constexpr std::int64_t kChunk = 1 << 20;  // limits the size of temporary copies
  const at::NoGradGuard no_history;
  const at::Tensor all_before = before.detach().reshape(-1);
  const at::Tensor all_after = after.detach().reshape(-1);
  at::Tensor sums, largest, whole;
  for (std::int64_t at = 0; at < all_before.numel(); at += kChunk) {
    const std::int64_t size = std::min(kChunk, all_before.numel() - at);
    const CastPart part = part_of(all_before.narrow(0, at, size), all_after.narrow(0, at, size));
    sums = sums.defined() ? sums.add(part.sums) : part.sums;
    largest = largest.defined() ? at::maximum(largest, part.largest) : part.largest;
    whole = whole.defined() ? whole.logical_and(part.whole) : part.whole;
  }
  const at::Tensor beyond = whole.logical_and(largest.gt(exact_up_to(format)));
  return at::cat({sums, at::stack({largest, beyond.to(at::kDouble)})});
}

void read_cast_loss(const at::Tensor& row, silent::ArgumentSeen& seen) {
  const double* const figures = row.const_data_ptr<double>();
  seen.occupied = static_cast<std::uint64_t>(figures[0]);
  seen.vanished = static_cast<std::uint64_t>(figures[1]);
  seen.vanished_norm = figures[2] > 0 ? std::sqrt(figures[3] / figures[2]) : 0;
  seen.largest = figures[5];
  if (figures[6] == 0) return;  // not all integers, or none beyond the exact range
  seen.whole = seen.occupied;
  seen.changed = static_cast<std::uint64_t>(figures[4]);
}

}  // namespace binade::evidence
