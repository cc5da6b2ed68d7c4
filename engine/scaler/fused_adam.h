// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/scaler_options.h"
#include "engine/scaler/scales_itself.h"

#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>

#include <vector>

namespace binade::scaler {

/// State of one parameter in FusedAdam and FusedAdamW.
struct FusedAdamParamState : torch::optim::OptimizerCloneableParamState<FusedAdamParamState> {
  at::Tensor step;  ///< 0-dim float32 on the parameter's device: number of steps that were not skipped
  at::Tensor exp_avg;
  at::Tensor exp_avg_sq;
  at::Tensor max_exp_avg_sq;  ///< only with amsgrad

  void serialize(torch::serialize::InputArchive& archive) override;
  void serialize(torch::serialize::OutputArchive& archive) const override;
};

/// torch.optim.Adam(fused=True) or AdamW(fused=True): one kernel over all tensors of a device and dtype. The kernel
/// divides the gradients by the loss scale, skips the update if found_inf is 1, and never synchronises with the host.
/// Takes the options of torch::optim::Adam or AdamW, per group too. Throws c10::Error for sparse gradients and for
/// options that these refuse. State is allocated for all parameters before any of them changes, so a step that ran out
/// of memory can be repeated.
///
/// The kernel skips only if found_inf is exactly 1. Behaviour::kPytorch211 passes found_inf on unchanged, so overflows
/// on two devices, which sum to 2, are not skipped. Behaviour::kFixed skips for every non-zero found_inf.
template <class Options>
class FusedAdamOf : public torch::optim::Optimizer, public ScalesItself {
 public:
  explicit FusedAdamOf(const std::vector<torch::optim::OptimizerParamGroup>& param_groups, const Options& defaults = {},
                       Behaviour behaviour = Behaviour::kFixed);
  explicit FusedAdamOf(std::vector<at::Tensor> parameters, const Options& defaults = {},
                       Behaviour behaviour = Behaviour::kFixed);

  at::Tensor step(LossClosure closure = nullptr) override;
  void save(torch::serialize::OutputArchive& archive) const override;
  void load(torch::serialize::InputArchive& archive) override;

 private:
  Behaviour behaviour_;
};

extern template class FusedAdamOf<torch::optim::AdamOptions>;
extern template class FusedAdamOf<torch::optim::AdamWOptions>;

using FusedAdam = FusedAdamOf<torch::optim::AdamOptions>;
/// With decoupled weight decay.
using FusedAdamW = FusedAdamOf<torch::optim::AdamWOptions>;

}  // namespace binade::scaler
