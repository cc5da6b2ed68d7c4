// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/graph_check.h"

#include "engine/formats/error.h"
#include "engine/graph/op_safety.h"
#include "engine/graph/unsafe_code.h"

#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace binade::graph {

namespace jit = torch::jit;

namespace {

/// Source line of a node, ` at net.py:12`; empty if the node does not know it.
std::string place(const jit::Node& node) {
  const auto position = node.sourceRange().file_line_col();
  if (!position) return {};
  const std::string& file = std::get<0>(*position);
  return " at " + file.substr(file.rfind('/') + 1) + ":" + std::to_string(std::get<1>(*position));
}

void unsafe(const std::string& what, const jit::Node& node, const std::string& why) {
  report_unsafe(finding_at(node.sourceRange(), why), what + " is refused: it " + why + place(node));
}

bool is_custom_class(const c10::Type& type) {
  if (const auto* of = type.castRaw<c10::ClassType>(); of != nullptr && of->name()) {
    return of->name()->qualifiedName().starts_with("__torch__.torch.classes");
  }
  const auto inner = type.containedTypes();
  return type.kind() != c10::TypeKind::ClassType && type.kind() != c10::TypeKind::InterfaceType &&
         std::any_of(inner.begin(), inner.end(), [](const c10::TypePtr& each) { return is_custom_class(*each); });
}

/// Whether LibTorch checks a value of this type at each use, so that a value of another type causes an error there.
/// Attributes of objects and elements of tuples are accessed by index, without a check.
bool is_checked_at_use(const c10::Type& type) {
  switch (type.kind()) {
    case c10::TypeKind::TensorType:
    case c10::TypeKind::IntType:
    case c10::TypeKind::FloatType:
    case c10::TypeKind::ComplexType:
    case c10::TypeKind::NumberType:
    case c10::TypeKind::BoolType:
    case c10::TypeKind::StringType:
    case c10::TypeKind::NoneType:
    case c10::TypeKind::DeviceObjType:
    case c10::TypeKind::AnyType:
      return true;
    case c10::TypeKind::ListType:
    case c10::TypeKind::DictType:
    case c10::TypeKind::OptionalType:
    case c10::TypeKind::UnionType: {
      const auto inner = type.containedTypes();
      return std::all_of(inner.begin(), inner.end(), [](const c10::TypePtr& each) { return is_checked_at_use(*each); });
    }
    default:
      return false;
  }
}

/// Whether `node` runs only if `isinstance(value, type)` was true.
bool was_asked(const jit::Node& node, const jit::Value* value, const c10::Type& type) {
  for (const jit::Block* block = node.owningBlock(); block != nullptr && block->owningNode() != nullptr;
       block = block->owningNode()->owningBlock()) {
    const jit::Node* const choice = block->owningNode();
    if (choice->kind() != c10::prim::If || choice->blocks()[0] != block) continue;
    const jit::Node* const asked = choice->input()->node();
    if (asked->kind() != c10::prim::isinstance || asked->input() != value) continue;
    const auto types = asked->tys(c10::attr::types);
    if (std::all_of(types.begin(), types.end(), [&](const c10::TypePtr& each) { return each->isSubtypeOf(type); })) {
      return true;
    }
  }
  return false;
}

void check_unchecked_cast(const jit::Node& node, const std::string& what) {
  const jit::Value* const given = node.input(0);
  const c10::TypePtr& type = node.output()->type();
  const c10::Type& to = *type;
  if (is_checked_at_use(to) || given->type()->isSubtypeOf(to)) return;
  // None is checked at each use. After inlining, an optional argument may be known to be None.
  if (given->type()->kind() == c10::TypeKind::NoneType) return;
  if (const auto optional = given->type()->cast<c10::OptionalType>()) {
    if (optional->getElementType()->isSubtypeOf(to)) return;
  }
  if (was_asked(node, given, to)) return;
  unsafe(what, node,
         "takes a " + given->type()->annotation_str() + " for a " + to.annotation_str() +
             " without asking isinstance first");
}

/// Checks ops whose number of results is fixed in the graph and not checked when they run.
void check_tuple(const jit::Node& node, const std::string& what) {
  const auto tuple = node.input(0)->type()->cast<c10::TupleType>();
  const std::size_t size = tuple == nullptr ? 0 : tuple->elements().size();
  bool fits = tuple != nullptr;
  if (node.kind() == c10::prim::TupleUnpack) {
    fits = fits && size == node.outputs().size();
  } else if (node.kind() == c10::prim::TupleSlice) {
    const std::int64_t begin = node.i(c10::attr::beg);
    const std::int64_t end = node.i(c10::attr::end);
    fits = fits && begin >= 0 && end >= begin && static_cast<std::size_t>(end) <= size;
  }
  if (!fits) unsafe(what, node, "takes a tuple for one of another size");
}

/// Whether TorchScript's compiler uses the node for a model's structure. Such nodes have no schema, or one with any
/// arguments.
bool is_structure(const jit::Node& node, const std::string& what) {
  switch (static_cast<c10::unique_t>(node.kind())) {
    case static_cast<c10::unique_t>(c10::prim::unchecked_cast):
      check_unchecked_cast(node, what);
      return true;
    case static_cast<c10::unique_t>(c10::prim::TupleUnpack):
    case static_cast<c10::unique_t>(c10::prim::TupleSlice):
      check_tuple(node, what);
      return true;
    case static_cast<c10::unique_t>(c10::prim::Constant):
    case static_cast<c10::unique_t>(c10::prim::If):
    case static_cast<c10::unique_t>(c10::prim::Loop):
    case static_cast<c10::unique_t>(c10::prim::CallFunction):
    case static_cast<c10::unique_t>(c10::prim::CallMethod):
    case static_cast<c10::unique_t>(c10::prim::GetAttr):
    case static_cast<c10::unique_t>(c10::prim::SetAttr):
    case static_cast<c10::unique_t>(c10::prim::HasAttr):
    case static_cast<c10::unique_t>(c10::prim::CreateObject):
    case static_cast<c10::unique_t>(c10::prim::ListConstruct):
    case static_cast<c10::unique_t>(c10::prim::ListUnpack):
    case static_cast<c10::unique_t>(c10::prim::TupleConstruct):
    case static_cast<c10::unique_t>(c10::prim::DictConstruct):
    case static_cast<c10::unique_t>(c10::prim::isinstance):
    case static_cast<c10::unique_t>(c10::prim::Enter):
    case static_cast<c10::unique_t>(c10::prim::Exit):
    case static_cast<c10::unique_t>(c10::prim::fork):
    case static_cast<c10::unique_t>(c10::prim::Closure):
    case static_cast<c10::unique_t>(c10::prim::Uninitialized):
      return true;
    default:
      return false;
  }
}

/// Whether FlatGraph inserted the node.
bool is_own(const jit::Node& node) {
  return std::string_view(node.kind().ns().toUnqualString()) == "binade";
}

void check_block(const jit::Block& block, const std::string& what, bool lowered) {
  for (const jit::Node* node : block.nodes()) {
    if (!is_structure(*node, what) && !(lowered && is_own(*node))) {
      const std::string op = node->kind().toQualString();
      if (const char* const danger = danger_of(safety_of(op))) {
        report_unsafe(finding_at(node->sourceRange(), "calls " + op + ", which " + danger),
                      what + " is refused: it calls " + op + place(*node) + ", which " + danger);
      }
    }
    for (const jit::Value* made : node->outputs()) {
      if (is_custom_class(*made->type())) unsafe(what, *node, "uses a custom C++ class");
    }
    for (const jit::Block* inner : node->blocks()) check_block(*inner, what, lowered);
    for (const c10::Symbol name : node->attributeNames()) {
      if (node->kindOf(name) == jit::AttributeKind::g) check_block(*node->g(name)->block(), what, lowered);
    }
  }
}

/// Counts the nodes of a function and, for each call in it, the nodes of the called function.
class InlinedSize {
 public:
  explicit InlinedSize(const std::string& what) : what_(what) {}

  std::size_t count(const jit::Function& function, int depth = 0) {
    constexpr std::size_t kMostOpCalls = 4'000'000;
    constexpr int kDeepest = 500;
    const auto [found, fresh] = counts_.emplace(&function, 0);
    if (!fresh) return found->second;
    const auto* const of_graph = dynamic_cast<const jit::GraphFunction*>(&function);
    if (of_graph == nullptr) return 0;
    if (depth > kDeepest) refuse("nest deeper than " + std::to_string(kDeepest));
    std::size_t sum = 0;
    add(*of_graph->graph()->block(), depth, sum);
    if (sum > kMostOpCalls) refuse("make more than " + std::to_string(kMostOpCalls) + " op calls of its functions");
    return counts_[&function] = sum;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorCode::kBadFile, what_ + " is refused: the calls in its code " + why,
                "No model needs that many. Export it again.");
  }

  void add(const jit::Block& block, int depth, std::size_t& sum) {
    for (const jit::Node* node : block.nodes()) {
      ++sum;
      if (const jit::Function* called = called_by(*node)) sum += count(*called, depth + 1);
      for (const jit::Block* inner : node->blocks()) add(*inner, depth, sum);
      for (const c10::Symbol name : node->attributeNames()) {
        if (node->kindOf(name) == jit::AttributeKind::g) add(*node->g(name)->block(), depth, sum);
      }
    }
  }

  static const jit::Function* called_by(const jit::Node& node) {
    if (node.kind() == c10::prim::CallFunction) {
      const auto type = node.input(0)->type()->cast<c10::FunctionType>();
      return type == nullptr ? nullptr : type->function();
    }
    if (node.kind() != c10::prim::CallMethod) return nullptr;
    const auto type = node.input(0)->type()->cast<c10::ClassType>();
    return type == nullptr ? nullptr : type->findMethod(node.s(c10::attr::name));
  }

  const std::string& what_;
  std::map<const jit::Function*, std::size_t> counts_;
};

}  // namespace

void check_graph(const jit::Graph& graph, const std::string& what, bool lowered) {
  for (const jit::Value* input : graph.inputs()) {
    if (!is_custom_class(*input->type())) continue;
    report_unsafe({.why = "uses a custom C++ class"}, what + " is refused: it uses a custom C++ class");
  }
  check_block(*graph.block(), what, lowered);
}

void check_compiled(const jit::CompilationUnit& unit, const std::string& what) {
  InlinedSize inlined(what);
  for (const jit::Function* function : unit.get_functions()) {
    const auto* const of_graph = dynamic_cast<const jit::GraphFunction*>(function);
    if (of_graph == nullptr) continue;
    check_graph(*of_graph->graph(), what);
    inlined.count(*function);
  }
}

}  // namespace binade::graph
