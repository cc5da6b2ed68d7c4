// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/cast_values.h"

#include <ATen/core/class_type.h>
#include <ATen/core/function.h>
#include <ATen/core/jit_type.h>

#include <cstdint>

namespace binade::autocast {

namespace {

c10::IValue cast_list(const c10::IValue& value, at::ScalarType dtype) {
  const c10::List<c10::IValue> list = value.toList();
  const c10::TypePtr type = list.elementType();
  // Lists of numbers and strings contain nothing to cast.
  if (type->isSubtypeOf(c10::NumberType::get()) || type->isSubtypeOf(c10::StringType::get())) return value;
  c10::List<c10::IValue> cast(type);
  for (const c10::IValue& each : list) cast.push_back(cast_value(each, dtype));
  return cast;
}

c10::IValue cast_tuple(const c10::IValue& value, at::ScalarType dtype) {
  const auto tuple = value.toTuple();
  std::vector<c10::IValue> elements;
  for (const c10::IValue& each : tuple->elements()) elements.push_back(cast_value(each, dtype));
  const auto type = tuple->type<c10::TupleType>();
  if (type->name()) return c10::ivalue::Tuple::createNamed(std::move(elements), type);
  return c10::ivalue::Tuple::create(std::move(elements));
}

c10::IValue cast_dict(const c10::IValue& value, at::ScalarType dtype) {
  const c10::Dict<c10::IValue, c10::IValue> dict = value.toGenericDict();
  c10::Dict<c10::IValue, c10::IValue> cast(dict.keyType(), dict.valueType());
  for (const auto& entry : dict) cast.insert(cast_value(entry.key(), dtype), cast_value(entry.value(), dtype));
  return cast;
}

/// An instance of a TorchScript class is cast by its own `to(self, dtype: int)` if it has one.
c10::IValue cast_object(const c10::IValue& value, at::ScalarType dtype) {
  const auto object = value.toObject();
  torch::jit::Function* to = object->type()->findMethod("to");
  if (to == nullptr || to->getSchema().arguments().size() < 2) return value;
  return (*to)({value, static_cast<std::int64_t>(dtype)});
}

}  // namespace

at::Tensor cast_value(const at::Tensor& tensor, at::ScalarType dtype) {
  return tensor.defined() && tensor.is_floating_point() ? tensor.to(dtype) : tensor;
}

c10::IValue cast_value(const c10::IValue& value, at::ScalarType dtype) {
  if (value.isTensor()) return cast_value(value.toTensor(), dtype);
  if (value.isList()) return cast_list(value, dtype);
  if (value.isTuple()) return cast_tuple(value, dtype);
  if (value.isGenericDict()) return cast_dict(value, dtype);
  if (value.isObject()) return cast_object(value, dtype);
  return value;
}

}  // namespace binade::autocast
