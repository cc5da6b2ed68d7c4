// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/fused_sgd.h"

#include "engine/scaler/on_device.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_fused_sgd.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <torch/optim/serialize.h>

#include <algorithm>

namespace binade::scaler {

namespace {

/// How far a momentum buffer is: kernels treat the first step apart.
enum class Momentum : std::uint8_t { kNone, kFirst, kGoing, kMaybeBegun };

/// The lists of one device, dtype and kind of momentum.
struct Lists {
  c10::Device device;
  at::ScalarType dtype;
  Momentum momentum;
  at::Tensor begun;  ///< kMaybeBegun: shared by all parameters in the lists
  std::vector<at::Tensor> parameters, gradients, buffers;
};

Lists& lists_for(std::vector<Lists>& all, const at::Tensor& parameter, Momentum momentum, const at::Tensor& begun) {
  for (Lists& lists : all) {
    if (lists.device == parameter.device() && lists.dtype == parameter.scalar_type() && lists.momentum == momentum &&
        lists.begun.is_same(begun)) {
      return lists;
    }
  }
  return all.emplace_back(Lists{parameter.device(), parameter.scalar_type(), momentum, begun, {}, {}, {}});
}

void run(const Lists& lists, const torch::optim::SGDOptions& options, bool first,
         const std::optional<at::Tensor>& grad_scale, const std::optional<at::Tensor>& found_inf) {
  at::_fused_sgd_(lists.parameters, lists.gradients, lists.buffers, options.weight_decay(), options.momentum(),
                  options.lr(), options.dampening(), options.nesterov(), /*maximize=*/false, first, grad_scale,
                  found_inf);
}

}  // namespace

void FusedSGDParamState::serialize(torch::serialize::OutputArchive& archive) const {
  if (momentum_buffer.defined()) archive.write("momentum_buffer", momentum_buffer);
  if (begun.defined()) archive.write("begun", begun);
}

void FusedSGDParamState::serialize(torch::serialize::InputArchive& archive) {
  archive.try_read("momentum_buffer", momentum_buffer);
  archive.try_read("begun", begun);
}

FusedSGD::FusedSGD(const std::vector<torch::optim::OptimizerParamGroup>& param_groups,
                   const torch::optim::SGDOptions& defaults, Behaviour behaviour)
    : Optimizer(param_groups, std::make_unique<torch::optim::SGDOptions>(defaults)), behaviour_(behaviour) {
  TORCH_CHECK(defaults.lr() >= 0, "Invalid learning rate: ", defaults.lr());
  TORCH_CHECK(defaults.momentum() >= 0, "Invalid momentum value: ", defaults.momentum());
  TORCH_CHECK(defaults.weight_decay() >= 0, "Invalid weight_decay value: ", defaults.weight_decay());
  TORCH_CHECK(!defaults.nesterov() || (defaults.momentum() > 0 && defaults.dampening() == 0),
              "Nesterov momentum requires a momentum and zero dampening");
}

FusedSGD::FusedSGD(std::vector<at::Tensor> parameters, const torch::optim::SGDOptions& defaults, Behaviour behaviour)
    : FusedSGD({torch::optim::OptimizerParamGroup(std::move(parameters))}, defaults, behaviour) {}

at::Tensor FusedSGD::step(LossClosure closure) {
  const at::NoGradGuard no_grad;
  at::Tensor loss;
  if (closure) {
    const at::AutoGradMode with_grad(true);
    loss = closure();
  }
  OnDevice scale(grad_scale);
  OnDevice found(skips_of(found_inf, behaviour_));
  for (auto& group : param_groups()) step_group(group, scale, found);
  return loss;
}

void FusedSGD::step_group(torch::optim::OptimizerParamGroup& group, OnDevice& grad_scale, OnDevice& found_inf) {
  const auto& options = static_cast<const torch::optim::SGDOptions&>(group.options());
  const bool checked = this->found_inf.defined();
  std::vector<at::Tensor> begun;  // one for all buffers made in this step on a device
  const auto begun_on = [&begun](c10::Device device) {
    for (const at::Tensor& each : begun) {
      if (each.device() == device) return each;
    }
    return begun.emplace_back(at::zeros({}, at::TensorOptions().device(device).dtype(at::kFloat)));
  };
  std::vector<Lists> all;
  for (const at::Tensor& parameter : group.params()) {
    const at::Tensor& gradient = parameter.grad();
    if (!gradient.defined()) continue;
    TORCH_CHECK(!gradient.is_sparse(), "`_fused_sgd` does not support sparse gradients");
    if (options.momentum() == 0) {
      Lists& lists = lists_for(all, parameter, Momentum::kNone, {});
      lists.parameters.push_back(parameter);
      lists.gradients.push_back(gradient);
      continue;
    }
    auto& slot = state()[parameter.unsafeGetTensorImpl()];
    if (!slot) slot = std::make_unique<FusedSGDParamState>();
    auto& kept = static_cast<FusedSGDParamState&>(*slot);
    Momentum momentum = kept.begun.defined() ? Momentum::kMaybeBegun : Momentum::kGoing;
    if (!kept.momentum_buffer.defined()) {
      momentum = Momentum::kFirst;
      if (behaviour_ == Behaviour::kPytorch211) {
        kept.momentum_buffer = at::empty_like(gradient);
      } else {
        kept.momentum_buffer = at::zeros_like(gradient, at::MemoryFormat::Preserve);
        // Whether this first step happens is known on the device only. Without dampening a step from zero is the first
        // step to the bit; with it, the two differ.
        if (checked && options.dampening() == 0) momentum = Momentum::kGoing;
        if (checked && options.dampening() != 0) {
          kept.begun = begun_on(parameter.device());
          momentum = Momentum::kMaybeBegun;
        }
      }
    }
    Lists& lists = lists_for(all, parameter, momentum, kept.begun);
    lists.parameters.push_back(parameter);
    lists.gradients.push_back(gradient);
    lists.buffers.push_back(kept.momentum_buffer);
  }
  for (const Lists& lists : all) {
    const auto scale = grad_scale.at(lists.device);
    const auto found = found_inf.at(lists.device);
    if (lists.momentum != Momentum::kMaybeBegun) {
      run(lists, options, lists.momentum == Momentum::kFirst, scale, found);
      continue;
    }
    // Both kinds of step, of which the device skips at least one.
    const at::Tensor bad = found ? *found : at::zeros_like(lists.begun);
    const at::Tensor not_begun = at::rsub(lists.begun, 1);
    run(lists, options, /*first=*/true, scale, at::maximum(bad, lists.begun));
    run(lists, options, /*first=*/false, scale, at::maximum(bad, not_begun));
  }
  // Afterwards: lists of two dtypes may share it.
  for (const Lists& lists : all) {
    if (lists.momentum != Momentum::kMaybeBegun) continue;
    const auto found = found_inf.at(lists.device);
    lists.begun.copy_(found ? at::maximum(lists.begun, at::rsub(*found, 1)) : at::ones_like(lists.begun));
  }
}

void FusedSGD::save(torch::serialize::OutputArchive& archive) const {
  torch::optim::serialize<FusedSGDParamState, torch::optim::SGDOptions>(archive, *this);
}

void FusedSGD::load(torch::serialize::InputArchive& archive) {
  torch::optim::serialize<FusedSGDParamState, torch::optim::SGDOptions>(archive, *this);
}

}  // namespace binade::scaler
