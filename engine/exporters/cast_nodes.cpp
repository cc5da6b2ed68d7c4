// SPDX-License-Identifier: Apache-2.0
#include "engine/exporters/cast_nodes.h"

#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <sstream>

namespace binade::exporters {

namespace jit = torch::jit;

namespace {

/// Namespace of the functions in exported files.
constexpr const char* kNamespace = "__torch__.binade_casts";

/// Warning of a file that runs under autocast.
constexpr const char* kWarning =
    "This file holds the casts of a Binade policy, and torch.autocast casts their results again, so the "
    "policy's rules for float32 have no effect. Call the file outside of torch.autocast, or inside "
    "torch.autocast(device, "
    "enabled=False).";

/// Separate functions, so that a file contains only those it uses. In TorchScript 6 is float32 and 7 is float64.
const std::string& text_of(const std::string& function) {
  static const std::map<std::string, std::string> texts{
      {"cast", R"(
def cast(x: Tensor, dtype: int) -> Tensor:
    if dtype >= 0 and x.is_floating_point() and x.dtype != 7:
        x = x.to(dtype)
    return x
)"},
      {"cast_optional", R"(
def cast_optional(x: Optional[Tensor], dtype: int) -> Optional[Tensor]:
    if x is not None:
        if dtype >= 0 and x.is_floating_point() and x.dtype != 7:
            return x.to(dtype)
    return x
)"},
      {"cast_list", R"(
def cast_list(xs: List[Tensor], dtype: int) -> List[Tensor]:
    cast: List[Tensor] = []
    for x in xs:
        if dtype >= 0 and x.is_floating_point() and x.dtype != 7:
            x = x.to(dtype)
        cast.append(x)
    return cast
)"},
      {"promoted", R"(
def promoted(xs: List[Tensor], low: int) -> int:
    dtype = low
    for x in xs:
        if x.is_floating_point() and x.dtype != 7 and x.dtype != low:
            dtype = 6
    return dtype
)"},
      {"widest", R"(
def widest(xs: List[Tensor]) -> int:
    dtype = -1
    mixed = False
    double = False
    for x in xs:
        if x.is_floating_point() and x.dim() > 0:
            double = double or x.dtype == 7
            if dtype >= 0 and dtype != x.dtype:
                mixed = True
                dtype = 6
            else:
                dtype = x.dtype
    if double or not mixed:
        dtype = -1
    return dtype
)"},
      {"present", R"(
def present(xs: List[Optional[Tensor]]) -> List[Tensor]:
    there: List[Tensor] = []
    for x in xs:
        if x is not None:
            there.append(x)
    return there
)"},
      {"filled_dtype", R"(
def filled_dtype(x: Tensor, dtype: Optional[int]) -> Optional[int]:
    if dtype is None and x.is_floating_point() and x.dtype != 7:
        return 6
    return dtype
)"},
      {"norm_dtype", R"(
def norm_dtype(x: Tensor) -> int:
    dtype = x.dtype
    if x.is_floating_point() and x.dtype != 7:
        dtype = 6
    return dtype
)"},
      // Does not call torch.is_autocast_enabled(): the autocast pass of TorchScript 2.11 breaks a graph that does, and
      // crashes. The dtype of an empty product shows whether autocast is enabled for the device.
      {"outside_autocast", R"(
def outside_autocast(x: Tensor) -> None:
    nothing = torch.zeros([0, 0], dtype=6, device=x.device)
    if torch.mm(nothing, nothing).dtype != 6:
        torch.warn(")" + std::string(kWarning) +
                               R"(", 2)
)"},
  };
  return texts.at(function);
}

bool is_tensor(const jit::Value* value) {
  return value->type()->isSubtypeOf(*c10::TensorType::get());
}

bool is_list(const jit::Value* value) {
  return value->type()->kind() == c10::TypeKind::ListType;
}

bool is_tensor_list(const jit::Value* value) {
  const auto list = value->type()->cast<c10::ListType>();
  return list && list->getElementType()->isSubtypeOf(*c10::TensorType::get());
}

bool is_none(const jit::Value* value) {
  return value->type()->kind() == c10::TypeKind::NoneType;
}

bool is_optional_tensor(const jit::Value* value) {
  const auto optional = value->type()->cast<c10::OptionalType>();
  return optional && optional->getElementType()->isSubtypeOf(*c10::TensorType::get());
}

}  // namespace

CastNodes::CastNodes(jit::Graph& graph, const jit::Module& module, std::set<const void*> written)
    : graph_(graph), module_(module), written_(std::move(written)) {}

jit::Value* CastNodes::dtype(jit::Node* before, at::ScalarType to) {
  const jit::WithInsertPoint here(before);
  return graph_.insertConstant(static_cast<std::int64_t>(to));
}

jit::Value* CastNodes::to_node(jit::Node* before, jit::Value* tensor, at::ScalarType to) {
  const jit::WithInsertPoint here(before);
  if (!is_tensor(tensor)) {
    jit::Node* there = graph_.insertNode(graph_.create(c10::prim::unchecked_cast, {tensor}, 1));
    there->output()->setType(c10::TensorType::get());
    tensor = there->output();
  }
  ++casts_;
  return graph_.insert(c10::aten::to, {tensor, dtype(before, to), false, false, c10::IValue()});
}

jit::Value* CastNodes::cast(jit::Node* before, jit::Value* value, at::ScalarType to, bool there, bool shared) {
  if (is_none(value)) return value;
  if (is_tensor(value) || is_optional_tensor(value)) {
    const at::Tensor tensor = parameter(value);
    if (tensor.defined()) {
      if (tensor.scalar_type() == to) return value;
      if (shared && !written_.contains(tensor.unsafeGetTensorImpl()))
        return shared_cast(before, path_of(value), tensor, to);
      return to_node(before, value, to);
    }
    if (is_tensor(value) || there) return to_node(before, value, to);
  } else if (is_tensor_list(value)) {
    // A list literal used by this op alone: its elements are cast one by one, so that parameters keep their shared
    // casts.
    jit::Node* literal = value->node();
    if (literal->kind() == c10::prim::ListConstruct && value->uses().size() == 1) {
      std::vector<jit::Value*> elements;
      for (jit::Value* element : literal->inputs()) elements.push_back(cast(before, element, to, there, shared));
      jit::Node* list = graph_.createList(c10::TensorType::get(), elements);
      list->insertBefore(before);
      return list->output();
    }
  }
  return cast_if_eligible(before, value, dtype(before, to));
}

jit::Value* CastNodes::cast_if_eligible(jit::Node* before, jit::Value* value, jit::Value* to) {
  if (is_none(value)) return value;
  if (is_tensor(value)) return look(before, "cast", {value, to});
  if (is_optional_tensor(value)) return look(before, "cast_optional", {value, to});
  if (is_tensor_list(value)) return look(before, "cast_list", {value, to});
  return value;
}

jit::Value* CastNodes::list_of(jit::Node* before, const std::vector<jit::Value*>& tensors) {
  for (jit::Value* value : tensors) {
    if (is_tensor_list(value)) return value;  // for an op that takes a list, the list alone decides
  }
  std::vector<jit::Value*> elements;
  bool all_there = true;
  for (jit::Value* value : tensors) {
    if (is_none(value) || is_list(value)) continue;
    all_there = all_there && is_tensor(value);
    elements.push_back(value);
  }
  const c10::TypePtr element = all_there ? c10::TypePtr(c10::TensorType::get())
                                         : c10::TypePtr(c10::OptionalType::create(c10::TensorType::get()));
  jit::Node* list = graph_.createList(element, elements);
  list->insertBefore(before);
  return all_there ? list->output() : look(before, "present", {list->output()});
}

jit::Value* CastNodes::promoted(jit::Node* before, const std::vector<jit::Value*>& tensors, at::ScalarType low) {
  return look(before, "promoted", {list_of(before, tensors), dtype(before, low)});
}

jit::Value* CastNodes::widest(jit::Node* before, const std::vector<jit::Value*>& tensors) {
  return look(before, "widest", {list_of(before, tensors)});
}

jit::Value* CastNodes::filled_dtype(jit::Node* before, jit::Value* self, jit::Value* given) {
  return look(before, "filled_dtype", {self, given});
}

jit::Value* CastNodes::norm_dtype(jit::Node* before, jit::Value* self) {
  return look(before, "norm_dtype", {self});
}

void CastNodes::warn_in_autocast() {
  jit::Node* first = *graph_.block()->nodes().begin();
  const auto inputs = graph_.inputs();
  const auto given = std::find_if(inputs.begin(), inputs.end(), is_tensor);
  if (given != inputs.end()) {
    call(first, "outside_autocast", {*given});
    return;
  }
  const jit::WithInsertPoint here(first);
  for (const auto& entry : module_.named_parameters()) {
    jit::Value* value = graph_.inputs()[0];
    std::istringstream path(entry.name);
    for (std::string part; std::getline(path, part, '.');) {
      const c10::TypePtr type = value->type()->expectRef<c10::ClassType>().getAttribute(part);
      value = graph_.insertGetAttr(value, part);
      value->setType(type);
    }
    if (is_tensor(value)) call(first, "outside_autocast", {value});
    return;
  }
}

jit::Value* CastNodes::look(jit::Node* before, const std::string& function, const std::vector<jit::Value*>& arguments) {
  ++looked_at_;
  return call(before, function, arguments);
}

jit::Value* CastNodes::call(jit::Node* before, const std::string& function, const std::vector<jit::Value*>& arguments) {
  const std::shared_ptr<jit::CompilationUnit> unit = module_._ivalue()->compilation_unit();
  const c10::QualifiedName name(kNamespace, function);
  jit::Function* callee = unit->find_function(name);
  if (callee == nullptr) {
    unit->define(c10::QualifiedName(kNamespace), text_of(function), jit::nativeResolver(), nullptr);
    callee = unit->find_function(name);
  }
  const jit::WithInsertPoint here(before);
  jit::Node* constant = graph_.insertNode(graph_.create(c10::prim::Constant));
  constant->s_(c10::attr::name, function);
  constant->output()->setType(c10::FunctionType::create(callee));
  std::vector<jit::Value*> inputs{constant->output()};
  inputs.insert(inputs.end(), arguments.begin(), arguments.end());
  jit::Node* made = graph_.insertNode(graph_.create(c10::prim::CallFunction, inputs, 1));
  made->output()->setType(callee->getSchema().returns().at(0).type());
  return made->output();
}

jit::Value* CastNodes::shared_cast(jit::Node* before, const std::vector<std::string>& path, const at::Tensor& tensor,
                                   at::ScalarType to) {
  jit::Value*& cast = shared_[{tensor.unsafeGetTensorImpl(), to}];
  if (cast != nullptr) return cast;
  while (before->owningBlock() != graph_.block()) before = before->owningBlock()->owningNode();
  const jit::WithInsertPoint here(before);
  jit::Value* value = graph_.inputs()[0];
  for (const std::string& attribute : path) {
    const c10::TypePtr type = value->type()->expectRef<c10::ClassType>().getAttribute(attribute);
    value = graph_.insertGetAttr(value, attribute);
    value->setType(type);
  }
  cast = to_node(before, value, to);
  return cast;
}

std::vector<std::string> CastNodes::path_of(const jit::Value* value) const {
  std::vector<std::string> path;
  while (true) {
    const jit::Node* node = value->node();
    if (node->kind() == c10::prim::unchecked_cast) {
      value = node->input(0);
    } else if (node->kind() == c10::prim::GetAttr) {
      path.push_back(node->s(c10::attr::name));
      value = node->input(0);
    } else {
      break;
    }
  }
  if (graph_.inputs().empty() || value != graph_.inputs()[0]) return {};
  std::reverse(path.begin(), path.end());
  return path;
}

at::Tensor CastNodes::parameter(const jit::Value* value) const {
  const std::vector<std::string> path = path_of(value);
  if (path.empty()) return {};
  c10::IValue object = module_._ivalue();
  for (const std::string& attribute : path) {
    if (!object.isObject()) return {};
    object = object.toObject()->getAttr(attribute);
  }
  if (!object.isTensor() || !object.toTensor().defined()) return {};
  const at::Tensor& tensor = object.toTensor();
  return tensor.requires_grad() && tensor.is_leaf() && !tensor.is_view() ? tensor : at::Tensor();
}

}  // namespace binade::exporters
