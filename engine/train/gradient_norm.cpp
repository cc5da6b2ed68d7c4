// SPDX-License-Identifier: Apache-2.0
#include "engine/train/gradient_norm.h"

#include "engine/formats/clones.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace binade::train {

namespace {

/// Above this size LibTorch's own sum benefits from several threads.
constexpr std::int64_t kSmall = 32768;

bool is_plain(const at::Tensor& values) {
  return values.device().is_cpu() && values.scalar_type() == at::kFloat && values.is_non_overlapping_and_dense();
}

/// Explicit lanes, so that the sum has the same order with every instruction set.
BINADE_CLONES double sum_of_squares(const float* values, std::size_t count) {
  constexpr std::size_t kLanes = 32;
  double sums[kLanes] = {};
  const std::size_t whole = count - count % kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double value = values[i + lane];
      sums[lane] += value * value;
    }
  }
  double sum = 0;
  for (const double part : sums) sum += part;
  for (std::size_t i = whole; i < count; ++i) sum += double{values[i]} * double{values[i]};
  return sum;
}

}  // namespace

at::Tensor gradient_norm(const std::vector<at::Tensor>& gradients) {
  const at::NoGradGuard no_history;
  if (!std::all_of(gradients.begin(), gradients.end(), is_plain)) {
    return at::stack(at::_foreach_norm(gradients, 2, at::kDouble)).norm();
  }
  double squares = 0;
  for (const at::Tensor& gradient : gradients) {
    if (gradient.numel() <= kSmall) {
      squares += sum_of_squares(gradient.const_data_ptr<float>(), static_cast<std::size_t>(gradient.numel()));
    } else {
      const double norm = at::linalg_vector_norm(gradient, 2, std::nullopt, false, at::kDouble).item<double>();
      squares += norm * norm;
    }
  }
  return at::scalar_tensor(std::sqrt(squares), at::kDouble);
}

}  // namespace binade::train
