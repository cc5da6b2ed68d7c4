// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/apex_scaler.h"
#include "engine/scaler/master_weights.h"

#include <torch/optim/optimizer.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace binade::apex {

class Amp;

/// An optimizer wrapped by initialize(). step() skips after an overflow. With master weights it steps the float32
/// masters and rounds them into the model. The wrapped optimizer must outlive it. Not thread-safe.
class Optimizer {
 public:
  /// Throws Error{kUsage} if `wrapped` is already wrapped.
  Optimizer(torch::optim::Optimizer& wrapped, const Amp& amp);
  Optimizer(Optimizer&&) = default;
  Optimizer& operator=(Optimizer&&) = default;

  torch::optim::Optimizer& wrapped() const { return *wrapped_; }

  /// Performs one step, or skips it after an overflow and returns an undefined tensor. Throws Error{kUsage} for a
  /// closure with master weights or with a pending skip, and if gradients are still scaled (delay_unscale).
  at::Tensor step(const torch::optim::Optimizer::LossClosure& closure = nullptr);

  /// Clears the gradients of the model and, with master weights, of the masters.
  void zero_grad(bool set_to_none = true);

  /// Adds a group; with master weights, its float16 parameters are replaced by masters.
  void add_param_group(torch::optim::OptimizerParamGroup group);

  /// Returns whether the next step() will be skipped because of an overflow.
  bool skips() const { return skip_.has_value(); }

  /// The master weights, created at first use; null if there are none.
  const scaler::MasterWeights* masters() const { return masters_.get(); }
  /// Copies the model's weights to existing masters. Call it after weights were loaded into the model.
  void model_to_masters();

 private:
  friend class Amp;
  friend class ScaledLoss;

  void prepare_backward();
  void post_backward(scaler::ApexScaler& scaler);
  void abandon_backward();
  void make_masters();
  std::vector<at::Tensor> all_parameters() const;

  /// A pending skip. The scale is read when the skip is reported.
  struct Skip {
    int loss_id;
    const scaler::ApexScaler* scaler;
  };

  torch::optim::Optimizer* wrapped_;
  std::shared_ptr<const Amp> amp_;
  std::shared_ptr<void> claim_;  ///< exclusive claim on `wrapped_`
  bool wants_masters_;
  std::unique_ptr<scaler::MasterWeights> masters_;
  std::vector<at::Tensor> stash_;  ///< gradients from before the block, one per parameter of all_parameters()
  bool holds_scaled_gradients_ = false;
  std::optional<Skip> skip_;
};

/// Returns every parameter that `optimizer` steps; with master weights the masters, once they exist. Gradients to clip
/// after the scale_loss block.
std::vector<at::Tensor> master_params(const Optimizer& optimizer);
std::vector<at::Tensor> master_params(const torch::optim::Optimizer& optimizer);

}  // namespace binade::apex
