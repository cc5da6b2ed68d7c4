// SPDX-License-Identifier: Apache-2.0
#include "engine/train/attribute_values.h"

#include "engine/formats/error.h"

#include <ATen/core/jit_type.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

namespace binade::train {

namespace {

using nlohmann::json;
constexpr const char* kBytes = "bytes";
constexpr const char* kTensor = "tensor";
constexpr const char* kOwn = "own";

/// JSON strings are UTF-8; any other string is stored as its bytes.
json text_json(const std::string& text) {
  json as_it_is = text;
  try {
    static_cast<void>(as_it_is.dump());
    return as_it_is;
  } catch (const json::type_error&) {
    json bytes = json::object();
    bytes[kBytes] = std::vector<std::uint8_t>(text.begin(), text.end());
    return bytes;
  }
}

std::string text_of(const json& value) {
  if (!value.is_object()) return value.get<std::string>();
  const auto bytes = value.at(kBytes).get<std::vector<std::uint8_t>>();
  return {bytes.begin(), bytes.end()};
}

/// JSON has no infinities and no NaN, which models keep as fill values of masks; they are stored as strings.
json number_json(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  return number;
}

double number_of(const json& value) {
  return value.is_string() ? std::strtod(value.get_ref<const std::string&>().c_str(), nullptr) : value.get<double>();
}

/// Returns whether both are the same view of the same memory.
bool is_one(const at::Tensor& a, const at::Tensor& b) {
  return a.is_same(b) || (a.is_alias_of(b) && a.storage_offset() == b.storage_offset() && a.sizes() == b.sizes() &&
                          a.strides() == b.strides());
}

json tensor_json(const at::Tensor& tensor, const std::string& name, const NamedTensors& own, NamedTensors& tensors) {
  if (!tensor.defined()) return nullptr;
  json object = json::object();
  const auto found =
      std::find_if(own.begin(), own.end(), [&](const auto& each) { return is_one(each.second, tensor); });
  if (found != own.end()) {
    object[kOwn] = found->first;
    return object;
  }
  tensors.emplace_back(name, tensor.detach());
  object[kTensor] = name;
  return object;
}

/// Converts the result of to_json() back to a value.
struct Maker {
  const NamedTensors& own;
  const std::map<std::string, at::Tensor>& tensors;
  c10::Device device;

  c10::IValue value(const json& from, const c10::TypePtr& type) const {
    switch (type->kind()) {
      case c10::TypeKind::IntType:
        return from.get<std::int64_t>();
      case c10::TypeKind::FloatType:
        return number_of(from);
      case c10::TypeKind::BoolType:
        return from.get<bool>();
      case c10::TypeKind::StringType:
        return text_of(from);
      case c10::TypeKind::TensorType:
        return tensor(from);
      case c10::TypeKind::OptionalType:
        return from.is_null() ? c10::IValue() : value(from, type->expectRef<c10::OptionalType>().getElementType());
      case c10::TypeKind::ListType:
        return list(from, type->expectRef<c10::ListType>().getElementType());
      case c10::TypeKind::DictType:
        return dict(from, type->expectRef<c10::DictType>());
      case c10::TypeKind::TupleType:
        return tuple(from, type->expect<c10::TupleType>());
      default:
        return {};
    }
  }

  at::Tensor tensor(const json& from) const {
    if (from.is_null()) return {};
    if (from.contains(kOwn)) return own_tensor(from.at(kOwn).get_ref<const std::string&>());
    const auto& name = from.at(kTensor).get_ref<const std::string&>();
    const auto found = tensors.find(name);
    if (found == tensors.end()) {
      throw Error(ErrorCode::kBadFile, "the tensor of the attribute " + name + " is missing",
                  "Use another checkpoint.");
    }
    return found->second.to(device, found->second.scalar_type(), /*non_blocking=*/false, /*copy=*/true);
  }

  at::Tensor own_tensor(const std::string& name) const {
    const auto found = std::find_if(own.begin(), own.end(), [&name](const auto& each) { return each.first == name; });
    if (found != own.end()) return found->second;
    throw Error(ErrorCode::kBadFile, "an attribute refers to " + name + ", which the model does not have",
                "Use another checkpoint.");
  }

  c10::IValue list(const json& from, const c10::TypePtr& element) const {
    c10::impl::GenericList made(element);
    for (const json& each : from.get_ref<const json::array_t&>()) made.push_back(value(each, element));
    return made;
  }

  c10::IValue dict(const json& from, const c10::DictType& type) const {
    c10::impl::GenericDict made(type.getKeyType(), type.getValueType());
    for (const json& each : from.get_ref<const json::array_t&>()) {
      made.insert(value(each.at(0), type.getKeyType()), value(each.at(1), type.getValueType()));
    }
    return made;
  }

  c10::IValue tuple(const json& from, const c10::TupleTypePtr& type) const {
    std::vector<c10::IValue> members;
    for (std::size_t i = 0; i < type->elements().size(); ++i) {
      members.push_back(value(from.at(i), type->elements()[i]));
    }
    if (type->schema() != nullptr) return c10::ivalue::Tuple::createNamed(std::move(members), type);
    return c10::ivalue::Tuple::create(std::move(members));
  }
};

}  // namespace

bool has_json(const c10::Type& type) {
  switch (type.kind()) {
    case c10::TypeKind::IntType:
    case c10::TypeKind::FloatType:
    case c10::TypeKind::BoolType:
    case c10::TypeKind::StringType:
    case c10::TypeKind::TensorType:
      return true;
    case c10::TypeKind::OptionalType:
    case c10::TypeKind::ListType:
    case c10::TypeKind::DictType:
    case c10::TypeKind::TupleType: {
      const auto members = type.containedTypes();
      return std::all_of(members.begin(), members.end(), [](const c10::TypePtr& each) { return has_json(*each); });
    }
    default:
      return false;
  }
}

json to_json(const c10::IValue& value, const std::string& name, const NamedTensors& own, NamedTensors& tensors) {
  if (value.isNone()) return nullptr;
  if (value.isInt()) return value.toInt();
  if (value.isBool()) return value.toBool();
  if (value.isDouble()) return number_json(value.toDouble());
  if (value.isString()) return text_json(value.toStringRef());
  if (value.isTensor()) return tensor_json(value.toTensor(), name, own, tensors);
  json array = json::array();
  const auto add = [&](const c10::IValue& item, json& to) {
    to.push_back(to_json(item, name + "." + std::to_string(array.size()), own, tensors));
  };
  if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) {
      json pair = json::array();
      pair.push_back(to_json(entry.key(), name + "." + std::to_string(array.size()) + ".key", own, tensors));
      add(entry.value(), pair);
      array.push_back(std::move(pair));
    }
    return array;
  }
  if (value.isTuple()) {
    for (const c10::IValue& item : value.toTupleRef().elements()) add(item, array);
  } else {
    for (const c10::IValue& item : value.toListRef()) add(item, array);
  }
  return array;
}

c10::IValue from_json(const json& from, const c10::TypePtr& type, const NamedTensors& own,
                      const std::map<std::string, at::Tensor>& tensors, c10::Device device) {
  return Maker{own, tensors, device}.value(from, type);
}

}  // namespace binade::train
