// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/linear.h>

#include <limits>

namespace binade::test {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

inline at::Tensor leaf(const at::Tensor& values) {
  return values.detach().clone().set_requires_grad(true);
}

inline void giveGradient(const at::Tensor& parameter, float value) {
  parameter.mutable_grad() = at::full_like(parameter, value).detach();
}

/// A small model whose loss needs no scaling: gradients of a linear layer.
inline at::Tensor smallLoss(const at::Tensor& weight, const at::Tensor& input) {
  return at::linear(input, weight).pow(2).mean();
}

}  // namespace binade::test
