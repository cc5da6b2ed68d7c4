// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/master_weights.h"

#include "engine/scaler/optimizer_state.h"

#include <ATen/core/grad_mode.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/optim/optimizer.h>

namespace binade::scaler {

namespace {

/// Moves a float16 parameter's gradient to its master once backward has accumulated it.
struct HandOver : torch::autograd::PostAccumulateGradHook {
  explicit HandOver(at::Tensor to) : master(std::move(to)) {}
  void operator()(const at::Tensor& parameter) override {
    const at::NoGradGuard no_history;
    const at::Tensor& gradient = parameter.grad();
    if (master.grad().defined()) {
      master.mutable_grad().add_(gradient.to(at::kFloat));
    } else {
      master.mutable_grad() = gradient.to(at::kFloat);
    }
    parameter.mutable_grad().reset();
  }
  at::Tensor master;
};

}  // namespace

MasterWeights::MasterWeights(torch::optim::Optimizer& optimizer) : optimizer_(&optimizer) {
  for (auto& group : optimizer.param_groups()) {
    for (at::Tensor& parameter : group.params()) {
      const at::Tensor master = adopt(parameter);
      if (!master.is_same(parameter)) move_state(optimizer, parameter, master);
      parameter = master;
    }
  }
  zero_grad();
}

at::Tensor MasterWeights::adopt(const at::Tensor& parameter) {
  if (!parameter.requires_grad()) return parameter;  // frozen parameters stay as they are
  if (parameter.scalar_type() == at::kFloat) {
    float32_.push_back(parameter);
    return parameter;
  }
  TORCH_CHECK_TYPE(parameter.scalar_type() == at::kHalf,
                   "Optimizer's parameters must be either Float or Half tensors. Received ", parameter.scalar_type());
  pairs_.push_back({parameter, parameter.detach().to(at::kFloat).requires_grad_(true)});
  if (follows_ && pauses_ == 0) hand_over_in_backward(pairs_.back());
  return pairs_.back().master;
}

MasterWeights::~MasterWeights() {
  if (!follows_) return;
  for (const Pair& pair : pairs_) leave_in_backward(pair);
}

void MasterWeights::leave_in_backward(const Pair& pair) {
  torch::autograd::impl::set_post_acc_grad_hooks(pair.model, nullptr);
}

MasterWeights::Pause::Pause(MasterWeights* masters)
    : masters_(masters != nullptr && masters->follows_ ? masters : nullptr) {
  if (masters_ == nullptr || masters_->pauses_++ > 0) return;
  for (const Pair& pair : masters_->pairs_) leave_in_backward(pair);
}

MasterWeights::Pause::~Pause() {
  if (masters_ == nullptr || --masters_->pauses_ > 0) return;
  for (const Pair& pair : masters_->pairs_) hand_over_in_backward(pair);
}

void MasterWeights::hand_over_in_backward(const Pair& pair) {
  torch::autograd::impl::set_post_acc_grad_hooks(pair.model, std::make_unique<HandOver>(pair.master));
}

void MasterWeights::follow_backward() {
  if (follows_) return;
  follows_ = true;
  for (const Pair& pair : pairs_) hand_over_in_backward(pair);
}

void MasterWeights::add_param_group(torch::optim::OptimizerParamGroup group) {
  for (at::Tensor& parameter : group.params()) parameter = adopt(parameter);
  optimizer_->add_param_group(group);
}

void MasterWeights::gradients_to_masters() {
  const at::NoGradGuard no_history;
  for (Pair& pair : pairs_) {
    const at::Tensor& gradient = pair.model.grad();
    if (!gradient.defined()) {
      pair.master.mutable_grad().reset();
    } else if (pair.master.grad().defined()) {
      pair.master.mutable_grad().copy_(gradient);
    } else {
      pair.master.mutable_grad() = gradient.to(at::kFloat);
    }
  }
}

void MasterWeights::masters_to_model() {
  const at::NoGradGuard no_history;
  for (Pair& pair : pairs_) pair.model.copy_(pair.master);
}

void MasterWeights::model_to_masters() {
  const at::NoGradGuard no_history;
  for (Pair& pair : pairs_) pair.master.copy_(pair.model);
}

void MasterWeights::zero_grad() {
  for (Pair& pair : pairs_) {
    pair.model.mutable_grad().reset();
    pair.master.mutable_grad().reset();
  }
  for (at::Tensor& parameter : float32_) parameter.mutable_grad().reset();
}

}  // namespace binade::scaler
