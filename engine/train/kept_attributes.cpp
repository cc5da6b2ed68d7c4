// SPDX-License-Identifier: Apache-2.0
#include "engine/train/kept_attributes.h"

#include "engine/graph/model.h"

#include <ATen/core/class_type.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>

namespace binade::train {

namespace {

namespace jit = torch::jit;

/// How a model's methods change its attributes.
struct Changes {
  std::set<std::pair<const c10::Type*, std::string>> assigned;  ///< by class and name
  bool containers = false;                                      ///< a list or dictionary is modified in place
};

bool holds_others(const c10::Type& type) {
  return type.kind() == c10::TypeKind::ListType || type.kind() == c10::TypeKind::DictType;
}

/// Returns whether the node modifies a list or dictionary in place; which one is known only at run time.
bool writes_container(const jit::Node& node) {
  const c10::FunctionSchema* schema = node.maybeSchema();
  if (schema == nullptr) return false;
  const auto& arguments = schema->arguments();
  for (std::size_t i = 0; i < arguments.size() && i < node.inputs().size(); ++i) {
    const c10::AliasInfo* alias = arguments[i].alias_info();
    if (alias != nullptr && alias->isWrite() && holds_others(*node.input(i)->type())) return true;
  }
  return false;
}

void add_changes(const jit::Block& block, Changes& to) {
  for (const jit::Node* node : block.nodes()) {
    if (node->kind() == c10::prim::SetAttr) {
      to.assigned.emplace(node->input(0)->type().get(), node->s(c10::attr::name));
    }
    to.containers = to.containers || writes_container(*node);
    for (const jit::Block* inner : node->blocks()) add_changes(*inner, to);
  }
}

/// Examines the methods rather than the flat graph, where a call through an interface stays a call.
Changes changes_in(const jit::Module& model) {
  Changes all;
  for (const jit::Module& module : model.modules()) {
    for (const jit::Method& method : module.get_methods()) add_changes(*method.graph()->block(), all);
  }
  return all;
}

void add_contents(const c10::IValue& value, std::vector<KeptAttributes::Contents>& to) {
  std::vector<c10::IValue> items;
  if (value.isList()) {
    items = value.toListRef().vec();
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) {
      items.push_back(entry.key());
      items.push_back(entry.value());
    }
  } else if (value.isTuple()) {
    for (const c10::IValue& item : value.toTupleRef().elements()) add_contents(item, to);
    return;
  } else {
    return;
  }
  for (const c10::IValue& item : items) add_contents(item, to);
  to.push_back({value, std::move(items)});
}

void fill(const KeptAttributes::Contents& contents) {
  if (contents.container.isList()) {
    const c10::impl::GenericList list = contents.container.toList();
    list.clear();
    for (const c10::IValue& item : contents.items) list.push_back(item);
    return;
  }
  const c10::impl::GenericDict dict = contents.container.toGenericDict();
  dict.clear();
  for (std::size_t i = 0; i + 1 < contents.items.size(); i += 2) dict.insert(contents.items[i], contents.items[i + 1]);
}

const void* memory_of(const at::Tensor& tensor) {
  return tensor.has_storage() ? static_cast<const void*>(tensor.storage().unsafeGetStorageImpl())
                              : static_cast<const void*>(tensor.unsafeGetTensorImpl());
}

void add_memory(const at::Tensor& tensor, KeptAttributes::Memory& to) {
  to.emplace(memory_of(tensor), tensor.has_storage() ? c10::IValue(tensor.storage()) : c10::IValue(tensor));
}

/// Visits every tensor in a value that may be written in place, except those in the memory `own`.
template <class See>
void each_tensor(const c10::IValue& value, const KeptAttributes::Memory& own, const See& see) {
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    if (tensor.defined() && !tensor.is_inference() && !own.contains(memory_of(tensor))) see(tensor);
  } else if (value.isList()) {
    for (const c10::IValue& item : value.toListRef()) each_tensor(item, own, see);
  } else if (value.isTuple()) {
    for (const c10::IValue& item : value.toTupleRef().elements()) each_tensor(item, own, see);
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) each_tensor(entry.value(), own, see);
  }
}

bool holds_tensor(const c10::IValue& value, const KeptAttributes::Memory& own) {
  bool any = false;
  each_tensor(value, own, [&any](const at::Tensor&) { any = true; });
  return any;
}

}  // namespace

KeptAttributes::KeptAttributes(const graph::Model& model) {
  const Changes changes = changes_in(model.module());
  for (const auto& [name, tensor] : model.parameters()) add_memory(tensor, own_);
  for (const auto& [name, tensor] : model.buffers()) add_memory(tensor, own_);
  for (const auto& [path, module] : model.module().named_modules()) {
    const auto object = module._ivalue();
    const auto held_type = object->type();
    const c10::ClassType& type = *held_type;
    for (std::size_t i = 0; i < type.numAttributes(); ++i) {
      if (type.getAttribute(i)->is_module() || type.is_parameter(i)) continue;
      const std::string& name = type.getAttributeName(i);
      if (changes.assigned.contains({&type, name})) assigned_.insert(path.empty() ? name : path + "." + name);
      const c10::IValue& value = object->getSlot(i);
      const bool holds = changes.containers && (value.isList() || value.isGenericDict() || value.isTuple());
      if (!changes.assigned.empty() || holds || holds_tensor(value, own_)) slots_.emplace_back(object, i);
    }
  }
}

void KeptAttributes::add_tensors(const c10::IValue& value, std::vector<Written>& to) const {
  each_tensor(value, own_, [&](const at::Tensor& tensor) {
    const auto is_it = [&tensor](const Written& each) { return each.tensor.is_same(tensor); };
    if (std::any_of(to.begin(), to.end(), is_it)) return;
    const auto before = std::find_if(last_kept_.begin(), last_kept_.end(), is_it);
    const std::int64_t version = tensor._version();
    if (before != last_kept_.end() && before->version == version) {
      to.push_back(*before);
    } else {
      to.push_back({tensor, tensor.detach().clone(), version});
    }
  });
}

KeptAttributes::Values KeptAttributes::now() const {
  const at::NoGradGuard no_history;
  Values all;
  for (const auto& [object, slot] : slots_) {
    all.slots.push_back(object->getSlot(slot));
    add_contents(all.slots.back(), all.contents);
    add_tensors(all.slots.back(), all.tensors);
  }
  last_kept_ = all.tensors;
  return all;
}

void KeptAttributes::put(const Values& values) const {
  const at::NoGradGuard no_history;
  for (std::size_t i = 0; i < values.slots.size(); ++i) slots_[i].first->setSlot(slots_[i].second, values.slots[i]);
  for (const Contents& each : values.contents) fill(each);
  for (const Written& each : values.tensors) {
    if (each.tensor._version() == each.version) continue;
    if (each.tensor.sizes() != each.copy.sizes()) each.tensor.resize_(each.copy.sizes());
    each.tensor.copy_(each.copy);
  }
}

}  // namespace binade::train
