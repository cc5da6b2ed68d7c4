// SPDX-License-Identifier: Apache-2.0
#include "engine/exporters/uncertain_dtypes.h"

#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <string_view>

namespace binade::exporters {

namespace jit = torch::jit;

namespace {

bool may_hold_tensors(const c10::TypePtr& type) {
  switch (type->kind()) {
    case c10::TypeKind::ListType:
    case c10::TypeKind::OptionalType:
      return may_hold_tensors(type->containedTypes().at(0));
    case c10::TypeKind::IntType:
    case c10::TypeKind::FloatType:
    case c10::TypeKind::BoolType:
    case c10::TypeKind::NumberType:
    case c10::TypeKind::StringType:
    case c10::TypeKind::NoneType:
    case c10::TypeKind::DeviceObjType:
    case c10::TypeKind::FunctionType:
    case c10::TypeKind::ClassType:
      return false;
    default:
      return true;
  }
}

/// Returns whether a node stores an input in the container that is its first input.
bool fills_a_container(const jit::Node& node) {
  const std::string_view kind = node.kind().toQualString();
  return kind == "aten::append" || kind == "aten::insert" || kind == "aten::extend" || kind == "aten::_set_item";
}

/// Returns whether a value is a list or dictionary literal whose elements are read by index.
bool is_indexed_literal(const jit::Value* value) {
  const c10::Symbol kind = value->node()->kind();
  if (kind != c10::prim::ListConstruct && kind != c10::prim::DictConstruct) return false;
  return std::any_of(value->uses().begin(), value->uses().end(),
                     [](const jit::Use& use) { return use.user->kind() == c10::aten::__getitem__; });
}

/// Returns whether a value is the placeholder result of a branch that raises, and never used.
bool never_arrives(const jit::Value* value) {
  return value->node()->kind() == c10::prim::Uninitialized;
}

}  // namespace

UncertainDtypes::UncertainDtypes(const jit::Graph& graph, CastsTo casts_to) : casts_to_(std::move(casts_to)) {
  do {  // repeat: a loop may carry a value back to its start, and a container may be read before it is filled
    changed_ = false;
    visit(*graph.block());
  } while (changed_);
}

bool UncertainDtypes::reach(const jit::Node& node) const {
  return std::any_of(node.inputs().begin(), node.inputs().end(),
                     [this](const jit::Value* input) { return contains(input); });
}

void UncertainDtypes::add(const jit::Value* value) {
  if (may_hold_tensors(value->type())) changed_ = values_.insert(value).second || changed_;
}

void UncertainDtypes::visit(const jit::Block& block) {
  for (const jit::Node* node : block.nodes()) {
    for (const jit::Block* inner : node->blocks()) visit(*inner);
    if (node->kind() == c10::prim::If) {
      visit_branches(*node);
    } else if (node->kind() == c10::prim::Loop) {
      visit_loop(*node);
    } else {
      visit_call(*node);
    }
  }
}

void UncertainDtypes::visit_branches(const jit::Node& node) {
  for (std::size_t i = 0; i < node.outputs().size(); ++i) {
    const jit::Value* taken = node.blocks()[0]->outputs()[i];
    const jit::Value* other = node.blocks()[1]->outputs()[i];
    if (differ(taken, other)) add(node.outputs()[i]);
  }
}

/// Inputs of a loop: (most trips, first condition, carried...); of its body: (trip, carried...). The body returns
/// (condition, carried...).
void UncertainDtypes::visit_loop(const jit::Node& node) {
  const jit::Block& body = *node.blocks()[0];
  for (std::size_t i = 0; i < node.outputs().size(); ++i) {
    const jit::Value* start = node.inputs()[i + 2];
    const jit::Value* inside = body.inputs()[i + 1];
    const jit::Value* back = body.outputs()[i + 1];
    if (back == inside ? !contains(start) : !differ(start, back)) continue;
    add(inside);
    add(node.outputs()[i]);
  }
}

void UncertainDtypes::visit_call(const jit::Node& node) {
  // The element that is read is known only at run time, and each may have a different dtype.
  if (fills_a_container(node)) add(node.inputs()[0]);
  if (node.outputs().size() == 1 && is_indexed_literal(node.output()) && has_several_dtypes(node)) add(node.output());
  if (!reach(node) || casts_to_(node)) return;
  for (const jit::Value* output : node.outputs()) add(output);
}

bool UncertainDtypes::has_several_dtypes(const jit::Node& node) const {
  const jit::Value* first = nullptr;
  for (const jit::Value* input : node.inputs()) {
    if (!may_hold_tensors(input->type())) continue;
    if (first == nullptr) first = input;
    if (differ(first, input)) return true;
  }
  return false;
}

bool UncertainDtypes::differ(const jit::Value* a, const jit::Value* b) const {
  if (contains(a) || contains(b)) return true;
  if (a == b || never_arrives(a) || never_arrives(b)) return false;
  const std::optional<at::ScalarType> dtype = dtype_of(a);
  return !dtype || dtype != dtype_of(b);
}

std::optional<at::ScalarType> UncertainDtypes::dtype_of(const jit::Value* value) const {
  const jit::Node* node = value->node();
  if (node->kind() != c10::prim::If) return casts_to_(*node);
  const std::size_t i = value->offset();
  const std::optional<at::ScalarType> dtype = dtype_of(node->blocks()[0]->outputs()[i]);
  return dtype == dtype_of(node->blocks()[1]->outputs()[i]) ? dtype : std::nullopt;
}

}  // namespace binade::exporters
