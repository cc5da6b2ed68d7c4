// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>

namespace binade::apex {

/// Apex's reserved argument: accepts a model, a list of models or nothing, and ignores it.
class ReservedModel {
 public:
  ReservedModel() = default;
  template <class Model>
  ReservedModel(const Model& /*model*/) {}  // NOLINT: implicit, so that a model can be passed
};

/// The keyword arguments of Apex's scale_loss, with its names, order and defaults.
struct ScaleOptions {
  int loss_id = 0;                    ///< index of the loss, in [0, num_losses)
  ReservedModel model = {};           ///< no effect; reserved by Apex
  bool delay_unscale = false;         ///< leave the gradients scaled, for backward passes that only accumulate
  bool delay_overflow_check = false;  ///< do not update the scale and do not skip
};

/// A scaled loss for the duration of a block: see Amp::scale_loss.
class ScaledLoss {
 public:
  struct Work;
  ScaledLoss(at::Tensor scaled, std::unique_ptr<Work> work);
  ScaledLoss(ScaledLoss&&) noexcept;
  ScaledLoss& operator=(ScaledLoss&&) = delete;
  /// Calls finish(). If an exception is propagating, drops the gradients computed in the block and restores earlier
  /// ones. May throw what unscaling throws.
  ~ScaledLoss() noexcept(false);

  const at::Tensor& operator*() const { return scaled_; }
  const at::Tensor* operator->() const { return &scaled_; }

  /// Performs the end of the block early: unscales, updates the scale and requests skips.
  void finish();

 private:
  at::Tensor scaled_;
  std::unique_ptr<Work> work_;
  int exceptions_ = 0;
};

}  // namespace binade::apex
