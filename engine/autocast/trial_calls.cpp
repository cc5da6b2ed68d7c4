// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/trial_calls.h"

#include "engine/graph/dtypes.h"

#include <nlohmann/json.hpp>

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/jit_type.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <c10/util/complex.h>

#include <cmath>
#include <stdexcept>
#include <vector>

namespace binade::autocast {

namespace {

using nlohmann::json;

constexpr std::string_view kLines[] = {
#include "trial_calls.inc"
};

at::ScalarType dtype_named(const std::string& name) {
  for (const auto& [each, dtype] : graph::kDtypes) {
    if (name == each) return dtype;
  }
  throw std::invalid_argument("no dtype " + name);
}

double number(const json& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

/// Different numbers between 0.25 and 0.75, the same in every process.
std::vector<double> spread(std::int64_t count) {
  constexpr double kGolden = 0.6180339887498949;
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double turned = static_cast<double>(i + 1) * kGolden;
    values[i] = 0.25 + 0.5 * (turned - std::floor(turned));
  }
  return values;
}

/// `{"float32": [2,3]}` has the values of spread(). `"data"` gives one value for all elements, or one each; pairs are
/// complex numbers.
at::Tensor tensor_of(const json& told, bool grad) {
  at::ScalarType dtype = at::kFloat;
  std::vector<std::int64_t> shape;
  for (const auto& [key, value] : told.items()) {
    if (key == "data") continue;
    dtype = dtype_named(key);
    shape = value.get<std::vector<std::int64_t>>();
  }
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  at::Tensor tensor;
  if (!told.contains("data")) {
    tensor = at::tensor(spread(count), at::kDouble);
  } else if (const json& data = told["data"]; c10::isComplexType(dtype)) {
    std::vector<c10::complex<double>> values;
    for (const json& pair : data) values.emplace_back(number(pair[0]), number(pair[1]));
    tensor = at::tensor(values, at::kComplexDouble);
  } else if (data.size() == 1) {
    tensor = at::full({count}, number(data[0]), at::kDouble);
  } else {
    std::vector<double> values;
    for (const json& each : data) values.push_back(number(each));
    tensor = at::tensor(values, at::kDouble);
  }
  tensor = tensor.to(dtype).reshape(shape);
  if (grad && tensor.is_floating_point()) tensor.requires_grad_();
  return tensor;
}

c10::IValue value_of(const json& told, const c10::TypePtr& type, bool grad);

template <class Element>
c10::IValue list_of(const json& told, const c10::TypePtr& element) {
  c10::List<Element> list;
  for (const json& each : told) list.push_back(value_of(each, element, false).to<Element>());
  return list;
}

c10::IValue tensors_of(const json& told, bool grad) {
  c10::List<at::Tensor> list;
  for (const json& each : told) list.push_back(tensor_of(each, grad));
  return list;
}

c10::IValue optional_tensors_of(const json& told, bool grad) {
  c10::List<std::optional<at::Tensor>> list;
  for (const json& each : told) list.push_back(each.is_null() ? std::nullopt : std::optional(tensor_of(each, grad)));
  return list;
}

c10::IValue list_value(const json& told, const c10::TypePtr& element, bool grad) {
  switch (element->kind()) {
    case c10::TypeKind::TensorType:
      return tensors_of(told, grad);
    case c10::TypeKind::OptionalType:
      return optional_tensors_of(told, grad);
    case c10::TypeKind::FloatType:
      return list_of<double>(told, element);
    case c10::TypeKind::BoolType:
      return list_of<bool>(told, element);
    case c10::TypeKind::NumberType: {
      c10::List<at::Scalar> list;
      for (const json& each : told) list.push_back(value_of(each, element, false).toScalar());
      return list;
    }
    default:
      return list_of<std::int64_t>(told, element);
  }
}

c10::IValue value_of(const json& told, const c10::TypePtr& type, bool grad) {
  if (told.is_null()) return {};
  if (const auto optional = type->cast<c10::OptionalType>()) return value_of(told, optional->getElementType(), grad);
  if (const auto list = type->cast<c10::ListType>(); list && told.is_array()) {
    return list_value(told, list->getElementType(), grad);
  }
  if (told.is_object()) {
    if (told.contains("dtype")) return static_cast<std::int64_t>(dtype_named(told["dtype"]));
    if (told.contains("complex")) return c10::complex<double>(number(told["complex"][0]), number(told["complex"][1]));
    if (told.contains("device")) return c10::Device(told["device"].get<std::string>());
    return tensor_of(told, grad);
  }
  if (told.is_boolean()) return told.get<bool>();
  if (type->kind() == c10::TypeKind::FloatType || told.is_number_float()) return number(told);
  if (told.is_number()) return told.get<std::int64_t>();
  if (type->kind() == c10::TypeKind::NumberType) return number(told);  // "inf"
  return told.get<std::string>();
}

}  // namespace

std::span<const std::string_view> trial_lines() {
  return kLines;
}

std::string op_of(std::string_view line) {
  return json::parse(line)["op"].get<std::string>();
}

std::optional<TrialCall> trial_call(std::string_view line, bool grad) {
  const json told = json::parse(line);
  const std::string name = told["op"];
  const std::size_t dot = name.find('.');
  const auto op = c10::Dispatcher::singleton().findSchema(
      {name.substr(0, dot), dot == std::string::npos ? std::string() : name.substr(dot + 1)});
  if (!op) return std::nullopt;
  TrialCall call{*op, {}};
  const json& arguments = told["args"];
  const json keywords = told.value("kwargs", json::object());
  std::size_t position = 0;
  std::size_t used = 0;
  for (const c10::Argument& argument : op->schema().arguments()) {
    const json* given = nullptr;
    if (!argument.kwarg_only() && position < arguments.size()) given = &arguments[position++];
    if (given == nullptr && keywords.contains(argument.name())) given = &keywords[argument.name()], ++used;
    if (given == nullptr) {
      call.arguments.push_back(argument.default_value().value_or(c10::IValue()));
      continue;
    }
    try {
      call.arguments.push_back(value_of(*given, argument.real_type(), grad));
    } catch (const std::exception&) {
      return std::nullopt;  // the op takes another type there in this LibTorch
    }
  }
  if (position != arguments.size() || used != keywords.size()) return std::nullopt;
  return call;
}

}  // namespace binade::autocast
