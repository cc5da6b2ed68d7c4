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

/// State of the momentum buffers in one list. Kernels treat a buffer's first step differently (no dampening).
enum class Momentum : std::uint8_t { kNone, kFirst, kGoing, kMaybeBegun };

/// The kernel's arguments for one device, dtype and momentum state.
struct SgdLists {
  c10::Device device;
  at::ScalarType dtype;
  Momentum momentum;
  at::Tensor begun;  ///< kMaybeBegun: the flag that all parameters in the lists share
  std::vector<at::Tensor> parameters, gradients, buffers;
};

SgdLists& lists_for(std::vector<SgdLists>& all, const at::Tensor& parameter, Momentum momentum,
                    const at::Tensor& begun) {
  for (SgdLists& lists : all) {
    if (lists.device == parameter.device() && lists.dtype == parameter.scalar_type() && lists.momentum == momentum &&
        lists.begun.is_same(begun)) {
      return lists;
    }
  }
  return all.emplace_back(SgdLists{parameter.device(), parameter.scalar_type(), momentum, begun, {}, {}, {}});
}

/// Sorts the parameters of a group into lists and creates missing momentum buffers.
class Sorter {
 public:
  Sorter(torch::optim::Optimizer& optimizer, const torch::optim::SGDOptions& options, bool checked, Behaviour behaviour)
      : optimizer_(optimizer), options_(options), checked_(checked), behaviour_(behaviour) {}

  std::vector<SgdLists> sort(const std::vector<at::Tensor>& parameters, std::vector<FusedSGDParamState*>& made) {
    std::vector<SgdLists> all;
    for (const at::Tensor& parameter : parameters) {
      const at::Tensor& gradient = parameter.grad();
      if (!gradient.defined()) continue;
      TORCH_CHECK(!gradient.is_sparse(), "`_fused_sgd` does not support sparse gradients");
      if (options_.momentum() == 0) {
        SgdLists& lists = lists_for(all, parameter, Momentum::kNone, {});
        lists.parameters.push_back(parameter);
        lists.gradients.push_back(gradient);
        continue;
      }
      auto& slot = optimizer_.state()[parameter.unsafeGetTensorImpl()];
      if (!slot) slot = std::make_unique<FusedSGDParamState>();
      auto& kept = static_cast<FusedSGDParamState&>(*slot);
      Momentum momentum = kept.begun.defined() ? Momentum::kMaybeBegun : Momentum::kGoing;
      if (!kept.momentum_buffer.defined()) {
        made.push_back(&kept);
        momentum = begin(kept, gradient, parameter.device());
      }
      SgdLists& lists = lists_for(all, parameter, momentum, kept.begun);
      lists.parameters.push_back(parameter);
      lists.gradients.push_back(gradient);
      lists.buffers.push_back(kept.momentum_buffer);
    }
    return all;
  }

 private:
  Momentum begin(FusedSGDParamState& kept, const at::Tensor& gradient, c10::Device device) {
    if (behaviour_ == Behaviour::kPytorch211) {
      kept.momentum_buffer = at::empty_like(gradient);
      return Momentum::kFirst;
    }
    kept.momentum_buffer = at::zeros_like(gradient, at::MemoryFormat::Preserve);
    // Only the device knows whether this first step is skipped. Without dampening, a step from a zero buffer equals the
    // first step bit for bit. With dampening the two differ.
    if (!checked_) return Momentum::kFirst;
    if (options_.dampening() == 0) return Momentum::kGoing;
    kept.begun = begun_on(device);
    return Momentum::kMaybeBegun;
  }

  at::Tensor begun_on(c10::Device device) {
    for (const at::Tensor& each : begun_) {
      if (each.device() == device) return each;
    }
    return begun_.emplace_back(at::zeros({}, at::TensorOptions().device(device).dtype(at::kFloat)));
  }

  torch::optim::Optimizer& optimizer_;
  const torch::optim::SGDOptions& options_;
  const bool checked_;
  const Behaviour behaviour_;
  std::vector<at::Tensor> begun_;  ///< one per device, shared by all buffers created in this step
};

void run(const SgdLists& lists, const torch::optim::SGDOptions& options, bool first,
         const std::optional<at::Tensor>& grad_scale, const std::optional<at::Tensor>& found_inf) {
  at::_fused_sgd_(lists.parameters, lists.gradients, lists.buffers, options.weight_decay(), options.momentum(),
                  options.lr(), options.dampening(), options.nesterov(), /*maximize=*/false, first, grad_scale,
                  found_inf);
}

struct GroupLists {
  const torch::optim::SGDOptions* options;
  std::vector<SgdLists> lists;
};

/// Collects the lists of all groups before any kernel runs, so that an exception (out of memory, sparse gradient)
/// leaves the parameters unchanged.
std::vector<GroupLists> sorted(torch::optim::Optimizer& optimizer, bool checked, Behaviour behaviour) {
  std::vector<GroupLists> all;
  std::vector<FusedSGDParamState*> made;
  try {
    for (auto& group : optimizer.param_groups()) {
      const auto& options = static_cast<const torch::optim::SGDOptions&>(group.options());
      all.push_back({&options, Sorter(optimizer, options, checked, behaviour).sort(group.params(), made)});
    }
  } catch (...) {
    for (FusedSGDParamState* each : made) *each = {};  // undo: these buffers have seen no step
    throw;
  }
  return all;
}

void run_all(const std::vector<SgdLists>& all, const torch::optim::SGDOptions& options, OnDevice& grad_scale,
             OnDevice& found_inf) {
  for (const SgdLists& lists : all) {
    const auto scale = grad_scale.at(lists.device);
    const auto found = found_inf.at(lists.device);
    if (lists.momentum != Momentum::kMaybeBegun) {
      run(lists, options, lists.momentum == Momentum::kFirst, scale, found);
      continue;
    }
    // Runs the kernel as first step and as later step; the flags make the device skip at least one of them.
    const at::Tensor bad = found ? *found : at::zeros_like(lists.begun);
    const at::Tensor not_begun = at::rsub(lists.begun, 1);
    run(lists, options, /*first=*/true, scale, at::maximum(bad, lists.begun));
    run(lists, options, /*first=*/false, scale, at::maximum(bad, not_begun));
  }
  // Updated after all kernels, since lists of different dtypes may share the flag.
  for (const SgdLists& lists : all) {
    if (lists.momentum != Momentum::kMaybeBegun) continue;
    const auto found = found_inf.at(lists.device);
    lists.begun.copy_(found ? at::maximum(lists.begun, at::rsub(*found, 1)) : at::ones_like(lists.begun));
  }
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
  for (const GroupLists& each : sorted(*this, found_inf.defined(), behaviour_))
    run_all(each.lists, *each.options, scale, found);
  return loss;
}

void FusedSGD::save(torch::serialize::OutputArchive& archive) const {
  torch::optim::serialize<FusedSGDParamState, torch::optim::SGDOptions>(archive, *this);
}

void FusedSGD::load(torch::serialize::InputArchive& archive) {
  torch::optim::serialize<FusedSGDParamState, torch::optim::SGDOptions>(archive, *this);
}

}  // namespace binade::scaler
