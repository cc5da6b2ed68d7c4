// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>

namespace binade::apex {

/// Apex's reserved argument: takes any model, a list of them or none, and does nothing with it.
class ReservedModel {
 public:
  ReservedModel() = default;
  template <class Model>
  ReservedModel(const Model& /*model*/) {}  // NOLINT: a model stands in its place
};

/// The keywords of Apex's scale_loss: names, order and defaults are its.
struct ScaleOptions {
  int loss_id = 0;                    ///< which loss this is, of those that `num_losses` tells
  ReservedModel model = {};           ///< no effect; Apex keeps it for later
  bool delay_unscale = false;         ///< leave the gradients scaled, for backward passes that only accumulate
  bool delay_overflow_check = false;  ///< the scale stays, and nothing is skipped
};

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
