// SPDX-License-Identifier: Apache-2.0
#include "engine/train/training_state_guard.h"

#include "engine/graph/model.h"

#include <ATen/MemoryOverlap.h>
#include <ATen/core/class_type.h>
#include <torch/csrc/jit/api/module.h>

namespace binade::train {

TrainingStateGuard::TrainingStateGuard(Training& training, Mode mode)
    : training_(training),
      masters_(training.masters.get()),
      random_(RandomState::of(training.device)),
      attributes_(training.attributes.now()) {
  {
    const at::NoGradGuard no_history;
    for (const auto& [name, buffer] : training.model.buffers()) {
      // No op writes a buffer whose elements share memory (an expanded one), and neither can restore().
      if (at::has_internal_overlap(buffer) != at::MemOverlap::Yes) buffers_.emplace_back(buffer, buffer.clone());
    }
  }
  for (const auto& [name, parameter] : training.model.parameters()) {
    if (parameter.requires_grad()) gradients_.emplace_back(parameter, parameter.grad());
  }
  for (auto& [parameter, gradient] : gradients_) parameter.mutable_grad().reset();
  if (mode != Mode::kEvaluate) return;
  evaluates_.emplace();
  for (const torch::jit::Module& module : training.model.module().modules()) {
    const auto object = module._ivalue();
    if (const auto slot = object->type()->findAttributeSlot("training")) {  // a frozen module has none
      modes_.push_back({object, *slot, object->getSlot(*slot)});
    }
  }
  training.model.train(false);
}

TrainingStateGuard::~TrainingStateGuard() {
  restore();
  for (auto& [parameter, gradient] : gradients_) parameter.mutable_grad() = std::move(gradient);
  for (const ModuleMode& mode : modes_) mode.module->setSlot(mode.slot, mode.value);
}

void TrainingStateGuard::restore() {
  const at::NoGradGuard no_history;
  training_.attributes.put(attributes_);
  for (auto& [buffer, copy] : buffers_) {
    // Eval mode leaves most buffers alone.
    if (!evaluates_ || !buffer.equal(copy)) buffer.copy_(copy);
  }
  random_.restore();
  for (auto& [parameter, gradient] : gradients_) parameter.mutable_grad().reset();
  if (evaluates_) training_.model.train(false);  // attributes include the modules' `training`
}

}  // namespace binade::train
