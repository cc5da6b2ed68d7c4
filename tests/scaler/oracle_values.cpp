// SPDX-License-Identifier: Apache-2.0
#include "tests/scaler/oracle_values.h"

#include <ATen/ops/from_blob.h>
#include <ATen/ops/sparse_coo_tensor.h>
#include <ATen/ops/view_as_complex.h>

#include <cmath>
#include <cstdlib>
#include <map>

namespace binade::test {

using nlohmann::json;

namespace {

at::ScalarType dtype(const json& tensor) {
  static const std::map<std::string, at::ScalarType> types = {
      {"float32", at::kFloat}, {"float16", at::kHalf}, {"bfloat16", at::kBFloat16},     {"float64", at::kDouble},
      {"int64", at::kLong},    {"int32", at::kInt},    {"complex64", at::kComplexFloat}};
  return types.at(tensor["dtype"].get<std::string>());
}

void append(const json& values, std::vector<double>& to) {
  for (const json& value : values) {
    if (value.is_array()) {
      append(value, to);
    } else {
      to.push_back(number(value));
    }
  }
}

at::Tensor flat(const json& values, at::ScalarType type) {
  std::vector<double> numbers;
  append(values, numbers);
  at::Tensor tensor = at::from_blob(numbers.data(), {static_cast<std::int64_t>(numbers.size())}, at::kDouble).clone();
  if (c10::isComplexType(type)) tensor = at::view_as_complex(tensor.reshape({-1, 2}));
  return tensor.to(type);
}

bool sameValues(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor x = a.detach().to(at::kDouble).flatten().contiguous();
  const at::Tensor y = b.detach().to(at::kDouble).flatten().contiguous();
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    if (!same(x.const_data_ptr<double>()[i], y.const_data_ptr<double>()[i])) return false;
  }
  return true;
}

bool allEqual(const json& expected, c10::ArrayRef<c10::IValue> values) {
  if (expected.size() != values.size()) return false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!equals(expected[i], values[i])) return false;
  }
  return true;
}

}  // namespace

double number(const json& value) {
  if (value.is_object()) return value["int"].get<double>();
  if (value.is_number()) return value.get<double>();
  return std::strtod(value.get<std::string>().c_str(), nullptr);
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

at::Tensor makeTensor(const json& recorded) {
  const auto shape = recorded["shape"].get<std::vector<std::int64_t>>();
  at::Tensor made;
  if (recorded.contains("sparse")) {
    const json& sparse = recorded["sparse"];
    const auto rows = static_cast<std::int64_t>(sparse["indices"].size());
    made = at::sparse_coo_tensor(flat(sparse["indices"], at::kLong).reshape({rows, -1}),
                                 flat(sparse["values"], dtype(recorded)), shape);
    if (sparse["coalesced"].get<bool>()) made = made.coalesce();
  } else {
    made = flat(recorded["values"], dtype(recorded)).reshape(shape);
  }
  return made.set_requires_grad(recorded.value("requires_grad", false));
}

c10::IValue makeValue(const json& recorded) {
  if (recorded.is_array()) {
    c10::impl::GenericList list(c10::AnyType::get());
    for (const json& each : recorded) list.push_back(makeValue(each));
    return list;
  }
  if (recorded.contains("tuple")) {
    std::vector<c10::IValue> elements;
    for (const json& each : recorded["tuple"]) elements.push_back(makeValue(each));
    return c10::ivalue::Tuple::create(std::move(elements));
  }
  if (!recorded.contains("py")) return makeTensor(recorded);
  const json& plain = recorded["py"];
  if (plain.is_null()) return {};
  if (plain.is_object()) return plain["int"].get<std::int64_t>();
  return number(plain);
}

bool equals(const json& expected, const at::Tensor& tensor) {
  if (expected.is_null()) return !tensor.defined();
  if (!tensor.defined()) return false;
  const at::Tensor wanted = makeTensor(expected);
  if (tensor.scalar_type() != wanted.scalar_type() || tensor.sizes() != wanted.sizes()) return false;
  if (tensor.is_sparse()) {
    return tensor.is_coalesced() == wanted.is_coalesced() && tensor._indices().equal(wanted._indices()) &&
           sameValues(tensor._values(), wanted._values());
  }
  return tensor.is_complex() ? tensor.equal(wanted) : sameValues(tensor, wanted);
}

bool equals(const json& expected, const c10::IValue& value) {
  if (expected.is_array()) return value.isList() && allEqual(expected, value.toListRef());
  if (expected.is_object() && expected.contains("tuple")) {
    return value.isTuple() && allEqual(expected["tuple"], value.toTupleRef().elements().vec());
  }
  return value.isTensor() && equals(expected, value.toTensor());
}

}  // namespace binade::test
