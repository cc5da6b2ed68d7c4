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
/// group's own too. Throws c10::Error for sparse gradients and for options that Adam refuses. Averages are made for all
/// parameters before any of them changes: a step without memory for them can be taken again.
///
/// The kernel skips where found_inf is exactly 1. Behaviour::kPytorch211 hands it on as it is, so that overflows on two
/// devices, which add up to 2, step into them; here every found_inf that is not 0 skips.
class FusedAdam : public torch::optim::Optimizer, public ScalesItself {
 public:
  explicit FusedAdam(const std::vector<torch::optim::OptimizerParamGroup>& param_groups,
                     const torch::optim::AdamOptions& defaults = {}, Behaviour behaviour = Behaviour::kFixed);
  explicit FusedAdam(std::vector<at::Tensor> parameters, const torch::optim::AdamOptions& defaults = {},
                     Behaviour behaviour = Behaviour::kFixed);

  at::Tensor step(LossClosure closure = nullptr) override;
  void save(torch::serialize::OutputArchive& archive) const override;
  void load(torch::serialize::InputArchive& archive) override;

 private:
  Behaviour behaviour_;
};

/// The same with decoupled weight decay: torch.optim.AdamW(fused=True).
class FusedAdamW : public torch::optim::Optimizer, public ScalesItself {
 public:
  explicit FusedAdamW(const std::vector<torch::optim::OptimizerParamGroup>& param_groups,
                      const torch::optim::AdamWOptions& defaults = {}, Behaviour behaviour = Behaviour::kFixed);
  explicit FusedAdamW(std::vector<at::Tensor> parameters, const torch::optim::AdamWOptions& defaults = {},
                      Behaviour behaviour = Behaviour::kFixed);

  at::Tensor step(LossClosure closure = nullptr) override;
  void save(torch::serialize::OutputArchive& archive) const override;
  void load(torch::serialize::InputArchive& archive) override;

 private:
  Behaviour behaviour_;
};

}  // namespace binade::scaler
