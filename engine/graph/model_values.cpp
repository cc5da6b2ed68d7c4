// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/model_values.h"

#include "engine/formats/error.h"
#include "engine/graph/model_tensor.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/class_type.h>
#include <ATen/core/enum_type.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/script_type_parser.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace binade::graph {

namespace {

using Kind = PickleNode::Kind;
using Ref = PickleNode::Ref;

constexpr std::string_view kOwn = "__torch__";

bool calls(Ref node, std::string_view function, std::size_t arguments) {
  return node->kind == Kind::kCall && node->text == function && node->items.size() == arguments;
}

/// The list or dict inside a call that adds its type.
Ref bare(Ref node) {
  while (node->kind == Kind::kCall && !node->items.empty() &&
         (node->text == "torch.jit._pickle.restore_type_tag" || node->text.starts_with("torch.jit._pickle.build_"))) {
    node = node->items[0];
  }
  return node;
}

/// Type of a list that TorchScript writes with a function of its own.
c10::TypePtr list_type(std::string_view function) {
  if (function == "torch.jit._pickle.build_intlist") return c10::ListType::ofInts();
  if (function == "torch.jit._pickle.build_doublelist") return c10::ListType::ofFloats();
  if (function == "torch.jit._pickle.build_boollist") return c10::ListType::ofBools();
  if (function == "torch.jit._pickle.build_tensorlist") return c10::ListType::ofTensors();
  return nullptr;
}

}  // namespace

std::set<std::string> class_names(const ModelPickle& pickle) {
  std::set<std::string> names;
  for (const PickleNode& node : pickle.nodes) {
    if (node.kind == Kind::kName && node.text.starts_with(kOwn)) names.insert(node.text);
  }
  return names;
}

/// Limits the number of values and their nesting depth; keeps the path for messages.
class ModelValues::Step {
 public:
  Step(ModelValues& values, std::string name) : values_(values) {
    constexpr std::size_t kDeepest = 300;
    constexpr std::size_t kMostValues = 16'000'000;
    values_.place_.push_back(std::move(name));
    if (values_.place_.size() > kDeepest || ++values_.count_ > kMostValues) {
      values_.refuse("its values nest without end, or are more than " + std::to_string(kMostValues));
    }
  }
  ~Step() { values_.place_.pop_back(); }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

 private:
  ModelValues& values_;
};

ModelValues::ModelValues(const ModelArchive& archive, std::string record, std::string tensors,
                         std::shared_ptr<torch::jit::CompilationUnit> unit, FindClass find_class)
    : archive_(archive),
      record_(std::move(record)),
      tensors_(std::move(tensors)),
      unit_(std::move(unit)),
      find_class_(std::move(find_class)) {}

void ModelValues::refuse(const std::string& why) const {
  std::string place;
  for (std::size_t i = 0; i < std::min<std::size_t>(place_.size(), 12); ++i) place += (i > 0 ? "." : "") + place_[i];
  archive_.refuse("is damaged: " + record_ + (place.empty() ? "" : ", " + place) + ": " + why);
}

void ModelValues::misfit(Ref node, const c10::TypePtr& type) const {
  refuse(type->annotation_str() + " is declared, and " + std::string(kind_name(node->kind)) + " is there");
}

c10::IValue ModelValues::make(Ref node, const c10::TypePtr& type) {
  switch (type->kind()) {
    case c10::TypeKind::NoneType:
      if (node->kind == Kind::kNone) return {};
      break;
    case c10::TypeKind::BoolType:
      if (node->kind == Kind::kBool) return node->number != 0;
      break;
    case c10::TypeKind::IntType:
      if (node->kind == Kind::kInt) return node->number;
      break;
    case c10::TypeKind::FloatType:
      if (node->kind == Kind::kFloat) return node->real;
      break;
    case c10::TypeKind::StringType:
      if (node->kind == Kind::kText) return node->text;
      break;
    case c10::TypeKind::ComplexType:
      return complex(node, type);
    case c10::TypeKind::DeviceObjType:
      return device(node, type);
    case c10::TypeKind::NumberType:
      if (node->kind == Kind::kInt) return node->number;
      if (node->kind == Kind::kFloat) return node->real;
      return complex(node, type);
    case c10::TypeKind::OptionalType:
      if (node->kind == Kind::kNone) return {};
      return make(node, type->expectRef<c10::OptionalType>().getElementType());
    case c10::TypeKind::AnyType:
      return untyped(node);
    case c10::TypeKind::UnionType:
      return either(node, type);
    default:
      return shared(node, type);
  }
  misfit(node, type);
}

/// Makes a value that others may refer to, once.
c10::IValue ModelValues::shared(Ref node, const c10::TypePtr& type) {
  const auto key = std::make_pair(node, static_cast<const c10::Type*>(type.get()));
  if (const auto found = made_.find(key); found != made_.end()) return found->second;
  if (!making_.insert(key).second) refuse("a value holds itself");
  types_.push_back(type);
  c10::IValue value = compound(node, type);
  making_.erase(key);
  return made_.emplace(key, std::move(value)).first->second;
}

c10::IValue ModelValues::compound(Ref node, const c10::TypePtr& type) {
  switch (type->kind()) {
    case c10::TypeKind::TensorType:
      return tensor(node, type);
    case c10::TypeKind::ListType:
      return list(node, type);
    case c10::TypeKind::DictType:
      return dict(node, type);
    case c10::TypeKind::TupleType:
      return tuple(node, type);
    case c10::TypeKind::ClassType:
    case c10::TypeKind::InterfaceType:
      return object(node, type);
    case c10::TypeKind::EnumType:
      return enumeration(node, type);
    default:
      refuse("a value of type " + type->annotation_str() + " is not read");
  }
}

c10::IValue ModelValues::list(Ref node, const c10::TypePtr& type) {
  const Ref items = bare(node);
  if (items->kind != Kind::kList) misfit(items, type);
  const c10::TypePtr element = type->expectRef<c10::ListType>().getElementType();
  c10::impl::GenericList list(element);
  list.reserve(items->items.size());
  for (std::size_t i = 0; i < items->items.size(); ++i) {
    const Step step(*this, std::to_string(i));
    list.push_back(make(items->items[i], element));
  }
  return list;
}

c10::IValue ModelValues::dict(Ref node, const c10::TypePtr& type) {
  const Ref items = bare(node);
  if (items->kind != Kind::kDict) misfit(items, type);
  const auto& dict_type = type->expectRef<c10::DictType>();
  c10::impl::GenericDict dict(dict_type.getKeyType(), dict_type.getValueType());
  for (std::size_t i = 0; i + 1 < items->items.size(); i += 2) {
    const Ref key = items->items[i];
    const Step step(*this, key->kind == Kind::kText ? key->text : std::to_string(i / 2));
    c10::IValue made = make(key, dict_type.getKeyType());
    if (!made.isString() && !made.isInt() && !made.isBool() && !made.isDouble() && !made.isComplexDouble() &&
        !made.isDevice() && !made.isTensor()) {
      misfit(key, dict_type.getKeyType());  // not hashable
    }
    dict.insert_or_assign(std::move(made), make(items->items[i + 1], dict_type.getValueType()));
  }
  return dict;
}

c10::IValue ModelValues::tuple(Ref node, const c10::TypePtr& type) {
  const auto types = type->expectRef<c10::TupleType>().elements();
  if (node->kind != Kind::kTuple || node->items.size() != types.size()) misfit(node, type);
  std::vector<c10::IValue> elements;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Step step(*this, std::to_string(i));
    elements.push_back(make(node->items[i], types[i]));
  }
  return c10::ivalue::Tuple::create(std::move(elements));
}

c10::IValue ModelValues::object(Ref node, const c10::TypePtr& type) {
  if (node->kind != Kind::kObject) misfit(node, type);
  const c10::TypePtr found = find_class_(node->text);
  const auto own = found ? found->cast<c10::ClassType>() : nullptr;
  if (own == nullptr) refuse("the model's code has no class " + node->text);
  if (!own->isSubtypeOf(*type)) refuse(type->annotation_str() + " is declared, and a " + node->text + " is there");
  if (node->items.empty() || node->items[0]->kind != Kind::kDict) refuse("its attributes are not a dict");
  const std::vector<Ref>& state = node->items[0]->items;
  std::map<std::string_view, Ref> attributes;
  for (std::size_t i = 0; i + 1 < state.size(); i += 2) {
    if (state[i]->kind == Kind::kText) attributes[state[i]->text] = state[i + 1];
  }
  auto object = c10::ivalue::Object::create(c10::StrongTypePtr(unit_, own), own->numAttributes());
  for (std::size_t i = 0; i < own->numAttributes(); ++i) {
    const Step step(*this, own->getAttributeName(i));
    const auto attribute = attributes.find(own->getAttributeName(i));
    if (attribute == attributes.end()) refuse("it is missing");
    object->setSlot(i, make(attribute->second, own->getAttribute(i)));
  }
  return object;
}

c10::IValue ModelValues::enumeration(Ref node, const c10::TypePtr& type) const {
  const auto of = type->expect<c10::EnumType>();
  if (node->kind == Kind::kCall && node->items.size() == 1 && node->text == of->qualifiedClassName().qualifiedName()) {
    const Ref value = node->items[0];
    for (const auto& [name, known] : of->enumNamesValues()) {
      if ((known.isInt() && value->kind == Kind::kInt && known.toInt() == value->number) ||
          (known.isDouble() && value->kind == Kind::kFloat && known.toDouble() == value->real) ||
          (known.isString() && value->kind == Kind::kText && known.toStringRef() == value->text)) {
        return c10::IValue(c10::make_intrusive<c10::ivalue::EnumHolder>(of, name, known));
      }
    }
  }
  misfit(node, type);
}

/// A value of a union: the first type that it has.
c10::IValue ModelValues::either(Ref node, const c10::TypePtr& type) {
  const std::size_t depth = place_.size();
  for (const c10::TypePtr& each : type->expectRef<c10::UnionType>().containedTypes()) {
    const auto before = making_;
    try {
      return make(node, each);
    } catch (const Error&) {
      making_ = before;
      place_.resize(depth);
    }
  }
  misfit(node, type);
}

c10::IValue ModelValues::complex(Ref node, const c10::TypePtr& type) const {
  if (!calls(node, "builtins.complex", 2) || node->items[0]->kind != Kind::kFloat ||
      node->items[1]->kind != Kind::kFloat) {
    misfit(node, type);
  }
  return c10::complex<double>(node->items[0]->real, node->items[1]->real);
}

c10::IValue ModelValues::device(Ref node, const c10::TypePtr& type) const {
  if (!calls(node, "torch.device", 1) || node->items[0]->kind != Kind::kText) misfit(node, type);
  try {
    return c10::Device(node->items[0]->text);
  } catch (const std::exception&) {
    refuse("\"" + node->items[0]->text + "\" is not a device");
  }
}

at::Tensor ModelValues::tensor(Ref node, const c10::TypePtr& type) {
  if (node->kind == Kind::kCall && node->text.starts_with("torch._utils._rebuild_") &&
      node->text != "torch._utils._rebuild_tensor_v2") {
    throw Error(ErrorCode::kBadModel,
                archive_.file() + " holds a tensor that is made by " + node->text + ", and only dense ones are read",
                "Export the model with dense tensors that are not quantized.");
  }
  if (node->kind != Kind::kCall || node->text != "torch._utils._rebuild_tensor_v2") misfit(node, type);
  const auto made = make_model_tensor(*node, [this](const PickleNode& of) { return storage(of); });
  if (!made) refuse("its shape does not fit its storage");
  return *made;
}

c10::Storage ModelValues::storage(const PickleNode& node) {
  const auto dtype = storage_dtype(node.storage_class);
  std::uint64_t size = 0;
  if (!dtype || node.number < 0 ||
      __builtin_mul_overflow(static_cast<std::uint64_t>(node.number), c10::elementSize(*dtype), &size)) {
    refuse("its storage is of an unknown kind, " + node.storage_class);
  }
  const std::string record = tensors_ + node.text;
  if (size > 0 && archive_.size(record) != size) {
    refuse("its storage " + record + " should have " + std::to_string(size) + " bytes, and has " +
           std::to_string(archive_.size(record)));
  }
  // As in LibTorch, two dtypes over the same bytes are two storages.
  const std::string key = node.storage_class + " " + record;
  const auto found = storages_.find(key);
  if (found != storages_.end()) return found->second;
  c10::Storage storage(c10::Storage::use_byte_size_t(), size,
                       size > 0 ? archive_.bytes(record) : c10::DataPtr(nullptr, c10::Device(c10::kCPU)), nullptr,
                       false);
  return storages_.emplace(key, std::move(storage)).first->second;
}

c10::IValue ModelValues::untyped(Ref node) {
  switch (node->kind) {
    case Kind::kNone:
      return {};
    case Kind::kBool:
      return node->number != 0;
    case Kind::kInt:
      return node->number;
    case Kind::kFloat:
      return node->real;
    case Kind::kText:
      return node->text;
    case Kind::kList:
    case Kind::kDict:
    case Kind::kTuple:
    case Kind::kCall:
      if (node->text == "builtins.complex") return complex(node, c10::ComplexType::get());
      if (node->text == "torch.device") return device(node, c10::DeviceObjType::get());
      break;
    case Kind::kObject:
    case Kind::kName:
    case Kind::kStorage:
      break;
  }
  c10::TypePtr& type = untyped_[node];  // one type per node, so that shared() finds the value again
  if (type == nullptr) type = type_of(node);
  return shared(node, type);
}

/// Type of a value whose declared type is Any.
c10::TypePtr ModelValues::type_of(Ref node) const {
  if (node->kind == Kind::kList) return c10::ListType::create(c10::AnyType::get());
  if (node->kind == Kind::kDict) return c10::DictType::create(c10::StringType::get(), c10::AnyType::get());
  if (node->kind == Kind::kTuple) {
    return c10::TupleType::create(std::vector<c10::TypePtr>(node->items.size(), c10::AnyType::get()));
  }
  if (node->kind == Kind::kCall) {
    if (c10::TypePtr of = list_type(node->text)) return of;
    if (node->text.starts_with("torch._utils._rebuild_")) return c10::TensorType::get();
    if (calls(node, "torch.jit._pickle.restore_type_tag", 2) && node->items[1]->kind == Kind::kText) {
      try {
        return torch::jit::ScriptTypeParser().parseType(node->items[1]->text);
      } catch (const std::exception&) {
        refuse("its type " + node->items[1]->text + " is not known");
      }
    }
  }
  if (node->kind == Kind::kObject || node->kind == Kind::kCall) {
    if (c10::TypePtr own = find_class_(node->text)) return own;
  }
  refuse(std::string(kind_name(node->kind)) + " of " + node->text + " is not read");
}

}  // namespace binade::graph
