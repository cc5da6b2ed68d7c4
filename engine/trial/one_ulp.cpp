// SPDX-License-Identifier: Apache-2.0
#include "engine/trial/one_ulp.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/randint.h>

#include <optional>
#include <utility>

namespace binade::trial {

namespace {

/// A floating-point dtype as integers: without the sign bit they count the magnitudes in order.
struct BitLayout {
  at::ScalarType integers;
  std::int64_t magnitude;  ///< mask of all bits but the sign
  std::int64_t infinity;   ///< bits of infinity
};

std::optional<BitLayout> layout_of(at::ScalarType dtype) {
  switch (dtype) {
    case at::kDouble:
      return BitLayout{at::kLong, 0x7fffffffffffffff, 0x7ff0000000000000};
    case at::kFloat:
      return BitLayout{at::kInt, 0x7fffffff, 0x7f800000};
    case at::kHalf:
      return BitLayout{at::kShort, 0x7fff, 0x7c00};
    case at::kBFloat16:
      return BitLayout{at::kShort, 0x7fff, 0x7f80};
    default:
      return std::nullopt;
  }
}

}  // namespace

void move_by_one_ulp(const at::Tensor& tensor, at::Generator generator) {
  if (!tensor.defined() || tensor.layout() != at::kStrided) return;
  const auto layout = layout_of(tensor.scalar_type());
  if (!layout) return;
  const at::NoGradGuard no_history;
  const at::Tensor bits = tensor.detach().view(layout->integers);
  const at::Tensor magnitudes = bits.bitwise_and(layout->magnitude);
  const at::TensorOptions integers = at::TensorOptions().dtype(layout->integers);
  at::Tensor moves = at::randint(0, 2, tensor.sizes(), std::move(generator), integers).mul_(2).sub_(1);
  moves = moves.to(tensor.device());
  moves.masked_fill_(magnitudes.eq(0), 1);
  moves.masked_fill_(magnitudes.ge(layout->infinity - 1), 0);
  bits.add_(moves);
}

void move_by_one_ulp(train::Training& training, std::uint64_t seed) {
  const auto generator = at::make_generator<at::CPUGeneratorImpl>(seed);
  for (const auto& [name, parameter] : training.trainable) move_by_one_ulp(parameter, generator);
  if (!training.masters) return;
  const at::NoGradGuard no_history;
  training.masters->masters_to_model();
}

}  // namespace binade::trial
