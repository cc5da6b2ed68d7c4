// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace binade::scaler {

/// Copies of tensors, such as a model's buffers, that a step modifies before it is known whether the step is skipped.
/// One overflowing batch can leave NaN in a batch norm's running mean for good, although the scaler skips its step.
///
///     kept.keep();                                   // before forward
///     ...
///     if (!scaler.step(optimizer).stepped) kept.restore();
///
/// Tensors are restored in place, so every reference to them sees the old values again. Does not support autograd.
class KeptTensors {
 public:
  explicit KeptTensors(std::vector<at::Tensor> tensors) : tensors_(std::move(tensors)) {}

  /// Copies the current values, into the same memory each time.
  void keep();
  /// Restores the copied values. Does nothing if keep() was never called.
  void restore();
  /// Restores where `found_inf`, a one-element tensor, is non-zero. Does not synchronise with the device.
  void restore_where(const at::Tensor& found_inf);

 private:
  std::vector<at::Tensor> tensors_;
  std::vector<at::Tensor> copies_;
};

}  // namespace binade::scaler
