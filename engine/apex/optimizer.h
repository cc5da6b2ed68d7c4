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

/// An optimizer as initialize() gives it back: step() skips after an overflow, and with master weights steps the
/// float32 masters and rounds them into the model. The wrapped optimizer must outlive it. One thread at a time.
class Optimizer {
 public:
  /// Throws Error{kUsage} where `wrapped` has one already.
  Optimizer(torch::optim::Optimizer& wrapped, const Amp& amp);
  Optimizer(Optimizer&&) = default;
  Optimizer& operator=(Optimizer&&) = default;

  torch::optim::Optimizer& wrapped() const { return *wrapped_; }

  /// One step, or the skip that an overflow asked for. Throws Error{kUsage} for a closure with master weights or where
  /// a skip is due, and where gradients are still scaled (delay_unscale).
  at::Tensor step(const torch::optim::Optimizer::LossClosure& closure = nullptr);

  /// Of the model and, with master weights, of the masters.
  void zero_grad(bool set_to_none = true);

  /// With masters for the group's float16 parameters; makes the other masters first.
  void add_param_group(torch::optim::OptimizerParamGroup group);

  /// Whether an overflow makes the next step() a skip.
  bool skips() const { return skip_.has_value(); }

  /// The masters, made at the first use; nothing without master weights.
  const scaler::MasterWeights* masters() const { return masters_.get(); }
  /// After weights were loaded into the model: masters that exist take them over.
  void model_to_masters();

 private:
  friend class Amp;
  friend class ScaledLoss;

  void prepare_backward();
  void post_backward(scaler::ApexScaler& scaler);
  void abandon_backward();
  void make_masters();
  std::vector<at::Tensor> all_parameters() const;

  /// A skip is due, of the scaler with this number; the scale is asked for when it is told of.
  struct Skip {
    int loss_id;
    const scaler::ApexScaler* scaler;
  };

  torch::optim::Optimizer* wrapped_;
  std::shared_ptr<const Amp> amp_;
  std::shared_ptr<void> claim_;  ///< on `wrapped_`, while this lives
  bool wants_masters_;
  std::unique_ptr<scaler::MasterWeights> masters_;
  std::vector<at::Tensor> stash_;  ///< gradients from before the block, one for each stashed parameter
  bool holds_scaled_gradients_ = false;
  std::optional<Skip> skip_;
};

/// Every parameter that `optimizer` steps: with master weights the masters, once there are any. Clip these, after the
/// block of scale_loss.
std::vector<at::Tensor> master_params(const Optimizer& optimizer);
std::vector<at::Tensor> master_params(const torch::optim::Optimizer& optimizer);

}  // namespace binade::apex
