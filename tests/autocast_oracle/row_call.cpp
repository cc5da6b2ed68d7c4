// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast_oracle/row_call.h"

#include "tests/scaler/oracle_file.h"
#include "tests/support/places.h"

#include <ATen/Dimname.h>
#include <ATen/NamedTensorUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/view_as_complex.h>
#include <c10/util/Exception.h>

#include <array>
#include <cmath>
#include <utility>

namespace binade::test {

using nlohmann::json;

namespace {

constexpr auto kDtypes = std::to_array<std::pair<const char*, at::ScalarType>>({
    {"float32", at::kFloat},
    {"float16", at::kHalf},
    {"bfloat16", at::kBFloat16},
    {"float64", at::kDouble},
    {"int64", at::kLong},
    {"int32", at::kInt},
    {"int16", at::kShort},
    {"int8", at::kChar},
    {"uint8", at::kByte},
    {"uint64", at::kUInt64},
    {"bool", at::kBool},
    {"complex32", at::kComplexHalf},
    {"complex64", at::kComplexFloat},
    {"complex128", at::kComplexDouble},
    {"float8_e4m3fn", at::kFloat8_e4m3fn},
    {"float8_e5m2", at::kFloat8_e5m2},
});

std::string firstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

double number(const json& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

at::Dimname dimension(const std::string& name) {
  return at::Dimname::fromSymbol(c10::Symbol::dimname(name));
}

at::Tensor tensorOf(const json& told, const TensorsOf& make) {
  at::ScalarType dtype = dtypeOf(told["dtype"]);
  if (dtype == at::kFloat) dtype = make.float32_as;
  const auto shape = told["shape"].get<std::vector<std::int64_t>>();
  at::Tensor tensor;
  if (make.device == c10::kMeta) {
    tensor = at::empty(shape, at::TensorOptions(dtype).device(c10::kMeta));
  } else if (told.contains("pairs")) {
    std::vector<double> data;
    for (const json& value : told["pairs"]) data.push_back(number(value));
    const at::Tensor pairs = at::tensor(data, at::kDouble).reshape({-1, 2});
    tensor = at::view_as_complex(pairs).to(dtype).reshape(shape);
  } else if (told.contains("data")) {
    std::vector<double> data;
    for (const json& value : told["data"]) data.push_back(number(value));
    tensor = at::tensor(data, at::kDouble).to(dtype).reshape(shape);
  } else {
    tensor = at::ones(shape, at::TensorOptions(at::kDouble)).to(dtype);
  }
  if (make.device == c10::kCUDA) tensor = tensor.to(c10::kCUDA);
  if (make.named && told.contains("names")) {
    std::vector<at::Dimname> names;
    for (const json& name : told["names"]) names.push_back(dimension(name));
    at::internal_set_names_inplace(tensor, names);
  }
  if (make.require_grad && tensor.is_floating_point()) tensor.requires_grad_();
  return tensor;
}

/// `Tensor?[]`, as the indices of an indexing op are.
bool listsOptionals(const c10::TypePtr& type) {
  const auto list = type->cast<c10::ListType>();
  return list && list->getElementType()->kind() == c10::TypeKind::OptionalType;
}

c10::List<at::Scalar> scalars(const json& told) {
  c10::List<at::Scalar> list;
  for (const json& each : told) {
    list.push_back(each.is_number_integer() ? at::Scalar(each.get<std::int64_t>()) : at::Scalar(number(each)));
  }
  return list;
}

bool isFloat(const c10::TypePtr& type) {
  if (const auto optional = type->cast<c10::OptionalType>()) return isFloat(optional->getElementType());
  return type->kind() == c10::TypeKind::FloatType;
}

c10::IValue valueOf(const json& told, const c10::TypePtr& type, const TensorsOf& make) {
  if (told.contains("tensor")) {
    return told["tensor"].is_null() ? c10::IValue() : c10::IValue(tensorOf(told["tensor"], make));
  }
  const bool of_optionals = told.contains("opt_tensors") || (told.contains("tensors") && listsOptionals(type));
  if (told.contains("tensors") && !of_optionals) {
    c10::List<at::Tensor> list;
    for (const json& each : told["tensors"]) list.push_back(tensorOf(each, make));
    return list;
  }
  if (of_optionals) {
    c10::List<std::optional<at::Tensor>> list;
    for (const json& each : told.contains("tensors") ? told["tensors"] : told["opt_tensors"]) {
      list.push_back(each.is_null() ? std::nullopt : std::optional<at::Tensor>(tensorOf(each, make)));
    }
    return list;
  }
  if (told.contains("scalar_type")) return static_cast<std::int64_t>(dtypeOf(told["scalar_type"]));
  if (told.contains("none")) return {};
  if (told.contains("bool")) return told["bool"].get<bool>();
  if (told.contains("int")) {
    return isFloat(type) ? c10::IValue(told["int"].get<double>()) : c10::IValue(told["int"].get<std::int64_t>());
  }
  if (told.contains("float")) return number(told["float"]);
  if (const auto list = type->cast<c10::ListType>(); list && told.size() == 1 && told.begin()->is_array()) {
    // An empty list, and one of numbers, is of what the schema says.
    if (list->getElementType()->kind() == c10::TypeKind::NumberType) return scalars(*told.begin());
    if (list->getElementType()->kind() == c10::TypeKind::StringType && told.begin()->empty()) {
      return c10::List<std::string>();
    }
  }
  if (told.contains("floats")) {
    c10::List<double> list;
    for (const json& each : told["floats"]) list.push_back(number(each));
    return list;
  }
  if (told.contains("bools")) {
    c10::List<bool> list;
    for (const json& each : told["bools"]) list.push_back(each.get<bool>());
    return list;
  }
  if (told.contains("complex")) return c10::complex<double>(number(told["complex"][0]), number(told["complex"][1]));
  if (told.contains("device")) return c10::Device(told["device"].get<std::string>());
  if (told.contains("ints")) return c10::List<std::int64_t>(told["ints"].get<std::vector<std::int64_t>>());
  // The schema calls a dimension's name a str; the kernel expects it qualified.
  if (told.contains("strs")) {
    c10::List<std::string> names;
    for (const json& each : told["strs"]) names.push_back(dimension(each).symbol().toQualString());
    return names;
  }
  return told["str"].get<std::string>();
}

/// Whether the kernel takes this str argument as the name of a dimension.
bool takesDimname(const std::string& overload) {
  return overload.find("imname") != std::string::npos || overload.starts_with("names_");
}

void collect(const c10::IValue& value, std::vector<at::Tensor>& into) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) into.push_back(value.toTensor());
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) into.push_back(tensor);
  } else if (value.isList()) {
    for (const c10::IValue& each : value.toListRef()) collect(each, into);
  } else if (value.isTuple()) {
    for (const c10::IValue& each : value.toTupleRef().elements()) collect(each, into);
  }
}

}  // namespace

const std::vector<json>& oracleRows() {
  static const std::vector<json> rows = readJsonLines(BINADE_TEST_DATA "/autocast/autocast_oracle.jsonl.zst");
  return rows;
}

std::string fullName(const std::string& op, const std::string& overload) {
  return overload.empty() ? op : op + "." + overload;
}

at::ScalarType dtypeOf(const std::string& name) {
  for (const auto& [each, dtype] : kDtypes) {
    if (name == each) return dtype;
  }
  throw std::runtime_error("unknown dtype " + name);
}

std::string nameOf(at::ScalarType dtype) {
  for (const auto& [name, each] : kDtypes) {
    if (dtype == each) return name;
  }
  return c10::toString(dtype);
}

Answer answerOf(const std::function<torch::jit::Stack()>& run) {
  Answer answer;
  const auto failed = [&answer](const char* type, const std::string& text) {
    answer.ok = false;
    answer.error_type = type;
    answer.error = firstLine(text);
  };
  try {
    answer.results = run();
  } catch (const c10::NotImplementedError& error) {
    failed("NotImplementedError", error.what_without_backtrace());
  } catch (const c10::ValueError& error) {
    failed("ValueError", error.what_without_backtrace());
  } catch (const c10::Error& error) {
    failed("RuntimeError", error.what_without_backtrace());
  } catch (const std::exception& error) {
    failed("RuntimeError", error.what());
  }
  return answer;
}

Answer RowCall::run() const {
  return answerOf([this] {
    torch::jit::Stack stack = arguments;
    op.callBoxed(stack);
    return stack;
  });
}

RowCall callOf(const json& row, const TensorsOf& make) {
  const std::string overload = row["overload"];
  RowCall call{c10::Dispatcher::singleton().findSchemaOrThrow(row["op"].get<std::string>().c_str(), overload.c_str()),
               {}};
  const json none = json::object();
  const json& keywords = row.contains("kwargs") ? row["kwargs"] : none;
  std::size_t position = 0;
  for (const c10::Argument& argument : call.op.schema().arguments()) {
    const json* told = nullptr;
    if (!argument.kwarg_only() && position < row["args"].size()) told = &row["args"][position++];
    if (told == nullptr && keywords.contains(argument.name())) told = &keywords[argument.name()];
    if (told == nullptr) {
      call.arguments.push_back(argument.default_value().value_or(c10::IValue()));
    } else if (told->contains("str") && takesDimname(overload)) {
      call.arguments.emplace_back(dimension((*told)["str"]).symbol().toQualString());
    } else {
      call.arguments.push_back(valueOf(*told, argument.real_type(), make));
    }
  }
  return call;
}

std::vector<at::Tensor> tensorsIn(const torch::jit::Stack& values) {
  std::vector<at::Tensor> tensors;
  for (const c10::IValue& value : values) collect(value, tensors);
  return tensors;
}

}  // namespace binade::test
