// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace binade::scaler {

/// Copies of tensors that a step changes before it is known whether the step counts: a model's buffers. One batch that
/// overflows can leave NaN in the running mean of a batch norm for ever, although the scaler skips its step.
///
///     kept.keep();                                   // before the forward
///     ...
///     if (!scaler.step(optimizer).stepped) kept.restore();
///
/// Buffers are written in place: who holds them sees the old values again. Not for use under autograd.
class KeptTensors {
 public:
  explicit KeptTensors(std::vector<at::Tensor> tensors) : tensors_(std::move(tensors)) {}

  /// Copies the present values, into the same memory each time.
  void keep();
  /// Puts the kept values back. Nothing was kept: does nothing.
  void restore();
  /// The same where `found_inf`, a one-element tensor, is not 0: without waiting for the device.
  void restore_where(const at::Tensor& found_inf);

 private:
  std::vector<at::Tensor> tensors_;
  std::vector<at::Tensor> copies_;
};

}  // namespace binade::scaler
