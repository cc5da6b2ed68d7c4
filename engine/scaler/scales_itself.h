// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

namespace binade::scaler {

/// An optimizer that unscales its gradients and skips overflowing steps on the device derives from this beside
/// torch::optim::Optimizer (PyTorch's `_step_supports_amp_scaling`). GradScaler then always calls its step(), with both
/// tensors set, and never waits for the device.
class ScalesItself {
 public:
  virtual ~ScalesItself() = default;

  /// What the gradients are still multiplied by, a 0-dim float32; undefined: nothing. A factor put here before the
  /// step is multiplied by the loss scale. Reset after the step.
  at::Tensor grad_scale;
  /// 0-dim float32, 1 where a gradient is not finite: step() must then change nothing. Undefined where nobody checked.
  /// Reset after the step.
  at::Tensor found_inf;

 protected:
  ScalesItself() = default;
  ScalesItself(const ScalesItself&) = default;
  ScalesItself& operator=(const ScalesItself&) = default;
  ScalesItself(ScalesItself&&) = default;
  ScalesItself& operator=(ScalesItself&&) = default;
};

}  // namespace binade::scaler
