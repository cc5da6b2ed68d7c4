// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>

namespace binade::apex {

/// A loss times its scale, for the length of a block: see Amp::scale_loss.
class ScaledLoss {
 public:
  struct Work;
  ScaledLoss(at::Tensor scaled, std::unique_ptr<Work> work);
  ScaledLoss(ScaledLoss&&) noexcept;
  ScaledLoss& operator=(ScaledLoss&&) = delete;
  /// finish(), unless an exception is on its way: then the gradients that the block has made are dropped, and those
  /// from before it are back. May throw what unscaling throws.
  ~ScaledLoss() noexcept(false);

  const at::Tensor& operator*() const { return scaled_; }
  const at::Tensor* operator->() const { return &scaled_; }

  /// What the end of the block does, at once.
  void finish();

 private:
  at::Tensor scaled_;
  std::unique_ptr<Work> work_;
  int exceptions_ = 0;
};

}  // namespace binade::apex
