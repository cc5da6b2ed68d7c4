// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/scaler_options.h"
#include "engine/scaler/scales_itself.h"

#include <torch/optim/sgd.h>

#include <vector>

namespace binade::scaler {

/// What FusedSGD keeps of a parameter that has momentum.
struct FusedSGDParamState : torch::optim::OptimizerCloneableParamState<FusedSGDParamState> {
  at::Tensor momentum_buffer;
  /// 0-dim float32 on the parameter's device: 1 once the buffer holds a step. Undefined: it does.
  at::Tensor begun;

  void serialize(torch::serialize::InputArchive& archive) override;
  void serialize(torch::serialize::OutputArchive& archive) const override;
};

/// torch.optim.SGD(fused=True): one kernel over all tensors of a device and dtype, which divides gradients by the loss
/// scale, skips where one is not finite, and never waits for the device. Takes the options of torch::optim::SGD, a
/// group's own too. Throws c10::Error for sparse gradients and for options that SGD refuses. Momentum buffers are made
/// for all parameters before any of them changes: a step without memory for them can be taken again.
///
/// PyTorch's leaves the momentum uninitialised where the first step is skipped, and uses it in the next. This one does
/// so only under Behaviour::kPytorch211, as it steps where found_inf is neither 0 nor 1 only there (see FusedAdam).
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
