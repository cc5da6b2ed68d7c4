// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/scaler_options.h"
#include "engine/scaler/scales_itself.h"

#include <torch/optim/sgd.h>

#include <vector>

namespace binade::scaler {

/// State of one parameter in FusedSGD; kept only with momentum.
struct FusedSGDParamState : torch::optim::OptimizerCloneableParamState<FusedSGDParamState> {
  at::Tensor momentum_buffer;
  /// 0-dim float32 on the parameter's device: 1 once a step has been added to momentum_buffer, else 0. Undefined if the
  /// buffer needs no special first step.
  at::Tensor begun;

  void serialize(torch::serialize::InputArchive& archive) override;
  void serialize(torch::serialize::OutputArchive& archive) const override;
};

/// torch.optim.SGD(fused=True): one kernel over all tensors of a device and dtype. The kernel divides the gradients by
/// the loss scale, skips the update if found_inf is 1, and never synchronises with the host. Takes the options of
/// torch::optim::SGD, per group too. Throws c10::Error for sparse gradients and for options that SGD refuses. Momentum
/// buffers are allocated for all parameters before any of them changes, so a step that ran out of memory can be
/// repeated.
///
/// In PyTorch 2.11 a skipped first step leaves the momentum buffer uninitialised, and the next step uses it. FusedSGD
/// reproduces that only with Behaviour::kPytorch211. Likewise, only kPytorch211 steps with a found_inf other than 0 and
/// 1 (see FusedAdam).
class FusedSGD : public torch::optim::Optimizer, public ScalesItself {
 public:
  explicit FusedSGD(const std::vector<torch::optim::OptimizerParamGroup>& param_groups,
                    const torch::optim::SGDOptions& defaults, Behaviour behaviour = Behaviour::kFixed);
  explicit FusedSGD(std::vector<at::Tensor> parameters, const torch::optim::SGDOptions& defaults,
                    Behaviour behaviour = Behaviour::kFixed);

  at::Tensor step(LossClosure closure = nullptr) override;
  void save(torch::serialize::OutputArchive& archive) const override;
  void load(torch::serialize::InputArchive& archive) override;

 private:
  Behaviour behaviour_;
};

}  // namespace binade::scaler
