// SPDX-License-Identifier: Apache-2.0
#include "engine/train/kept_attributes.h"

#include "engine/graph/model.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

namespace binade::train {

namespace {

bool sets_attributes(const torch::jit::Block& block) {
  for (const torch::jit::Node* node : block.nodes()) {
    if (node->kind() == c10::prim::SetAttr) return true;
    for (const torch::jit::Block* inner : node->blocks()) {
      if (sets_attributes(*inner)) return true;
    }
  }
  return false;
}

/// Methods, and not the flat graph: what is called through an interface stays a call there.
bool sets_attributes(const torch::jit::Module& model) {
  for (const torch::jit::Module& module : model.modules()) {
    for (const torch::jit::Method& method : module.get_methods()) {
      if (sets_attributes(*method.graph()->block())) return true;
    }
  }
  return false;
}

}  // namespace

KeptAttributes::KeptAttributes(const graph::Model& model) {
  if (!sets_attributes(model.module())) return;
  for (const torch::jit::Module& module : model.module().modules()) {
    const auto object = module._ivalue();
    for (std::size_t i = 0; i < object->type()->numAttributes(); ++i) {
      if (object->type()->getAttribute(i)->is_module() || object->type()->is_parameter(i)) continue;
      slots_.emplace_back(object, i);
    }
  }
}

KeptAttributes::Values KeptAttributes::now() const {
  Values all;
  for (const auto& [object, slot] : slots_) all.push_back(object->getSlot(slot));
  return all;
}

void KeptAttributes::put(const Values& values) const {
  for (std::size_t i = 0; i < values.size(); ++i) slots_[i].first->setSlot(slots_[i].second, values[i]);
}

}  // namespace binade::train
