// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/fused_adam.h"

#include "engine/scaler/on_device.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_sub.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <torch/optim/serialize.h>

#include <utility>

namespace binade::scaler {

namespace {

/// The kernel's arguments for one device and dtype.
struct AdamLists {
  c10::Device device;
  at::ScalarType dtype;
  std::vector<at::Tensor> parameters, gradients, averages, squares, largest, steps;
};

FusedAdamParamState& state_of(torch::optim::Optimizer& optimizer, const at::Tensor& parameter, bool amsgrad) {
  auto found = optimizer.state().find(parameter.unsafeGetTensorImpl());
  if (found == optimizer.state().end()) {
    auto made = std::make_unique<FusedAdamParamState>();
    made->step = at::zeros({}, parameter.options().dtype(at::kFloat));
    made->exp_avg = at::zeros_like(parameter, at::MemoryFormat::Preserve);
    made->exp_avg_sq = at::zeros_like(parameter, at::MemoryFormat::Preserve);
    found = optimizer.state().emplace(parameter.unsafeGetTensorImpl(), std::move(made)).first;
  }
  auto& state = static_cast<FusedAdamParamState&>(*found->second);
  if (amsgrad && !state.max_exp_avg_sq.defined()) {
    state.max_exp_avg_sq = at::zeros_like(parameter, at::MemoryFormat::Preserve);
  }
  return state;
}

template <class Options>
std::vector<AdamLists> lists_of(torch::optim::Optimizer& optimizer, torch::optim::OptimizerParamGroup& group) {
  const bool amsgrad = static_cast<Options&>(group.options()).amsgrad();
  std::vector<AdamLists> all;
  for (const at::Tensor& parameter : group.params()) {
    const at::Tensor& gradient = parameter.grad();
    if (!gradient.defined()) continue;
    TORCH_CHECK(!gradient.is_sparse(), "Adam does not support sparse gradients, please consider SparseAdam instead");
    const FusedAdamParamState& state = state_of(optimizer, parameter, amsgrad);
    auto lists = all.begin();
    while (lists != all.end() && (lists->device != parameter.device() || lists->dtype != parameter.scalar_type())) {
      ++lists;
    }
    if (lists == all.end()) {
      all.push_back({parameter.device(), parameter.scalar_type(), {}, {}, {}, {}, {}, {}});
      lists = std::prev(all.end());
    }
    lists->parameters.push_back(parameter);
    lists->gradients.push_back(gradient);
    lists->averages.push_back(state.exp_avg);
    lists->squares.push_back(state.exp_avg_sq);
    if (amsgrad) lists->largest.push_back(state.max_exp_avg_sq);
    lists->steps.push_back(state.step);
  }
  return all;
}

template <class... Arguments>
void run(const torch::optim::AdamOptions& /*options*/, Arguments&&... arguments) {
  at::_fused_adam_(std::forward<Arguments>(arguments)...);
}
template <class... Arguments>
void run(const torch::optim::AdamWOptions& /*options*/, Arguments&&... arguments) {
  at::_fused_adamw_(std::forward<Arguments>(arguments)...);
}

template <class Options>
void step_all(torch::optim::Optimizer& optimizer, const ScalesItself& itself, Behaviour behaviour) {
  OnDevice grad_scale(itself.grad_scale);
  OnDevice found_inf(skips_of(itself.found_inf, behaviour));
  std::vector<std::pair<const Options*, std::vector<AdamLists>>> all;  // collected for all groups before any kernel
                                                                       // runs
  for (auto& group : optimizer.param_groups()) {
    all.emplace_back(&static_cast<const Options&>(group.options()), lists_of<Options>(optimizer, group));
  }
  for (const auto& [of_group, group_lists] : all) {
    const Options& options = *of_group;
    for (const AdamLists& lists : group_lists) {
      const auto found = found_inf.at(lists.device);
      at::_foreach_add_(lists.steps, 1);
      run(options, lists.parameters, lists.gradients, lists.averages, lists.squares, lists.largest, lists.steps,
          options.lr(), std::get<0>(options.betas()), std::get<1>(options.betas()), options.weight_decay(),
          options.eps(), options.amsgrad(), /*maximize=*/false, grad_scale.at(lists.device), found);
      // The kernel does not undo the step count: a skipped step is subtracted again, on the device.
      if (found) at::_foreach_sub_(lists.steps, std::vector<at::Tensor>(lists.steps.size(), *found));
    }
  }
}

template <class Options>
void check(const Options& options) {
  TORCH_CHECK(options.lr() >= 0, "Invalid learning rate: ", options.lr());
  TORCH_CHECK(options.eps() >= 0, "Invalid epsilon value: ", options.eps());
  const auto [first, second] = options.betas();
  TORCH_CHECK(0 <= first && first < 1, "Invalid beta parameter at index 0: ", first);
  TORCH_CHECK(0 <= second && second < 1, "Invalid beta parameter at index 1: ", second);
  TORCH_CHECK(options.weight_decay() >= 0, "Invalid weight_decay value: ", options.weight_decay());
}

}  // namespace

void FusedAdamParamState::serialize(torch::serialize::OutputArchive& archive) const {
  archive.write("step", step);
  archive.write("exp_avg", exp_avg);
  archive.write("exp_avg_sq", exp_avg_sq);
  if (max_exp_avg_sq.defined()) archive.write("max_exp_avg_sq", max_exp_avg_sq);
}

void FusedAdamParamState::serialize(torch::serialize::InputArchive& archive) {
  archive.read("step", step);
  archive.read("exp_avg", exp_avg);
  archive.read("exp_avg_sq", exp_avg_sq);
  archive.try_read("max_exp_avg_sq", max_exp_avg_sq);
}

template <class Options>
FusedAdamOf<Options>::FusedAdamOf(const std::vector<torch::optim::OptimizerParamGroup>& param_groups,
                                  const Options& defaults, Behaviour behaviour)
    : Optimizer(param_groups, std::make_unique<Options>(defaults)), behaviour_(behaviour) {
  check(defaults);
}

template <class Options>
FusedAdamOf<Options>::FusedAdamOf(std::vector<at::Tensor> parameters, const Options& defaults, Behaviour behaviour)
    : FusedAdamOf({torch::optim::OptimizerParamGroup(std::move(parameters))}, defaults, behaviour) {}

template <class Options>
at::Tensor FusedAdamOf<Options>::step(LossClosure closure) {
  const at::NoGradGuard no_grad;
  at::Tensor loss;
  if (closure) {
    const at::AutoGradMode with_grad(true);
    loss = closure();
  }
  step_all<Options>(*this, *this, behaviour_);
  return loss;
}

template <class Options>
void FusedAdamOf<Options>::save(torch::serialize::OutputArchive& archive) const {
  torch::optim::serialize<FusedAdamParamState, Options>(archive, *this);
}

template <class Options>
void FusedAdamOf<Options>::load(torch::serialize::InputArchive& archive) {
  torch::optim::serialize<FusedAdamParamState, Options>(archive, *this);
}

template class FusedAdamOf<torch::optim::AdamOptions>;
template class FusedAdamOf<torch::optim::AdamWOptions>;

}  // namespace binade::scaler
