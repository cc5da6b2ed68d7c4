// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

namespace binade::scaler {

/// Base of optimizers that unscale their gradients and skip overflowing steps on the device, in addition to
/// torch::optim::Optimizer (PyTorch's `_step_supports_amp_scaling`). GradScaler always calls step() with both tensors
/// set, and does not synchronise with the device.
class ScalesItself {
 public:
  virtual ~ScalesItself() = default;

  /// 0-dim float32 by which the gradients must be divided; undefined: they are not scaled. A factor assigned before the
  /// step is multiplied by the loss scale. Reset after the step.
  at::Tensor grad_scale;
  /// 0-dim float32, 1 if a gradient is not finite; step() must then change nothing. Undefined if the gradients were not
  /// checked. Reset after the step.
  at::Tensor found_inf;

 protected:
  ScalesItself() = default;
  ScalesItself(const ScalesItself&) = default;
  ScalesItself& operator=(const ScalesItself&) = default;
  ScalesItself(ScalesItself&&) = default;
  ScalesItself& operator=(ScalesItself&&) = default;
};

}  // namespace binade::scaler
