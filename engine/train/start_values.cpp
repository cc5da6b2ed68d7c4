// SPDX-License-Identifier: Apache-2.0
#include "engine/train/start_values.h"

#include "engine/graph/model.h"
#include "engine/observe/values.h"
#include "engine/train/model_state.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/where.h>

namespace binade::train {

StartValues::StartValues(const graph::Model& model) {
  const at::NoGradGuard no_history;
  const auto keep = [this](const std::string& name, const at::Tensor& tensor) {
    if (tensor.defined() && !observe::all_finite(tensor)) tensors_.emplace(name, tensor.detach().clone());
  };
  for (const auto& [name, buffer] : model.buffers()) keep(name, buffer);
  for (const auto& [name, tensor] : attribute_tensors(model)) keep(name, tensor);
  for (const auto& [name, parameter] : model.parameters()) {
    if (!observe::all_finite(parameter)) parameters_.insert(name);
  }
}

bool StartValues::has_unchanged(const std::string& name, const at::Tensor& now) const {
  const at::NoGradGuard no_history;
  if (!now.defined() || observe::all_finite(now)) return true;
  const auto then = tensors_.find(name);
  if (then == tensors_.end() || then->second.sizes() != now.sizes()) return false;
  const at::Tensor before = then->second.to(now.device(), at::kDouble);
  const at::Tensor wide = now.to(at::kDouble);
  const at::Tensor same = wide.eq(before).logical_or(wide.isnan().logical_and(before.isnan()));
  return at::where(wide.isfinite(), same.new_ones({}), same).all().item<bool>();
}

}  // namespace binade::train
