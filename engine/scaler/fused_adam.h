// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/scaler_options.h"
#include "engine/scaler/scales_itself.h"

#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>

#include <vector>

namespace binade::scaler {

/// What FusedAdam and FusedAdamW keep of a parameter.
struct FusedAdamParamState : torch::optim::OptimizerCloneableParamState<FusedAdamParamState> {
  at::Tensor step;  ///< 0-dim float32 on the parameter's device: steps truly taken
  at::Tensor exp_avg;
  at::Tensor exp_avg_sq;
  at::Tensor max_exp_avg_sq;  ///< only with amsgrad

  void serialize(torch::serialize::InputArchive& archive) override;
  void serialize(torch::serialize::OutputArchive& archive) const override;
};

/// torch.optim.Adam(fused=True): one kernel over all tensors of a device and dtype, which divides gradients by the loss
/// scale, skips where one is not finite, and never waits for the device. Takes the options of torch::optim::Adam, a
/// group's own too. Throws c10::Error for sparse gradients and for options that Adam refuses.
class FusedAdam : public torch::optim::Optimizer, public ScalesItself {
 public:
  explicit FusedAdam(const std::vector<torch::optim::OptimizerParamGroup>& param_groups,
                     const torch::optim::AdamOptions& defaults = {});
  explicit FusedAdam(std::vector<at::Tensor> parameters, const torch::optim::AdamOptions& defaults = {});

  at::Tensor step(LossClosure closure = nullptr) override;
  void save(torch::serialize::OutputArchive& archive) const override;
  void load(torch::serialize::InputArchive& archive) override;
};

/// The same with decoupled weight decay: torch.optim.AdamW(fused=True).
class FusedAdamW : public torch::optim::Optimizer, public ScalesItself {
 public:
  explicit FusedAdamW(const std::vector<torch::optim::OptimizerParamGroup>& param_groups,
                      const torch::optim::AdamWOptions& defaults = {});
  explicit FusedAdamW(std::vector<at::Tensor> parameters, const torch::optim::AdamWOptions& defaults = {});

  at::Tensor step(LossClosure closure = nullptr) override;
  void save(torch::serialize::OutputArchive& archive) const override;
  void load(torch::serialize::InputArchive& archive) override;
};

}  // namespace binade::scaler
