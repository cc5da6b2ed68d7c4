// SPDX-License-Identifier: Apache-2.0
#include "engine/train/clip.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/stack.h>

namespace binade::train {

at::Tensor norm_of(const std::vector<at::Tensor>& gradients) {
  const at::NoGradGuard no_history;
  return at::stack(at::_foreach_norm(gradients)).norm();
}

void clip(const std::vector<at::Tensor>& gradients, const at::Tensor& norm, const wire::ClipConfig& config) {
  const at::NoGradGuard no_history;
  if (config.norm > 0) {
    // PyTorch's small constant, which prevents a division by a norm of 0.
    const at::Tensor share = norm.add(1e-6).reciprocal().mul(config.norm).clamp_max(1.0);
    at::_foreach_mul_(gradients, share);
  }
  if (config.value > 0) {
    for (const at::Tensor& gradient : gradients) gradient.clamp_(-config.value, config.value);
  }
}

}  // namespace binade::train
