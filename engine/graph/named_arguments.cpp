// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/named_arguments.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue_inl.h>

#include <cstddef>

namespace binade::graph {

bool readable(const at::Tensor& tensor) {
  return tensor.defined() && tensor.device().is_cpu() && tensor.layout() == at::kStrided && tensor.has_storage() &&
         !tensor.is_quantized() && !tensor.key_set().has(c10::DispatchKey::Python);
}

Integers integers(const c10::IValue& value) {
  if (value.isInt()) return {value.toInt()};
  if (value.isIntList()) return value.toIntVector();
  if (!value.isTensor() || !readable(value.toTensor())) return {};
  if (!at::isIntegralType(value.toTensor().scalar_type(), true)) return {};
  const at::AutoDispatchBelowAutograd plain;
  const at::Tensor all = value.toTensor().to(at::kLong).contiguous();
  return {all.const_data_ptr<std::int64_t>(), all.const_data_ptr<std::int64_t>() + all.numel()};
}

std::string sizes_text(const at::Tensor& tensor) {
  std::string all;
  for (const std::int64_t size : tensor.sizes()) all += (all.empty() ? "" : ", ") + std::to_string(size);
  return "[" + all + "]";
}

const c10::IValue* NamedArguments::find(const std::string& name) const {
  const auto index = schema_.argumentIndexWithName(name);
  if (!index || stack_.size() < schema_.arguments().size()) return nullptr;
  return &torch::jit::peek(stack_, static_cast<std::size_t>(*index), schema_.arguments().size());
}

at::Tensor NamedArguments::tensor(const std::string& name) const {
  const c10::IValue* value = find(name);
  return value != nullptr && value->isTensor() && readable(value->toTensor()) ? value->toTensor() : at::Tensor();
}

std::vector<at::Tensor> NamedArguments::tensors(const std::string& name) const {
  const c10::IValue* value = find(name);
  if (value == nullptr) return {};
  if (value->isTensor()) return {value->toTensor()};
  return value->isTensorList() ? value->toTensorVector() : std::vector<at::Tensor>();
}

std::int64_t NamedArguments::integer(const std::string& name, std::int64_t otherwise) const {
  const c10::IValue* value = find(name);
  return value != nullptr && value->isInt() ? value->toInt() : otherwise;
}

bool NamedArguments::flag(const std::string& name) const {
  const c10::IValue* value = find(name);
  return value != nullptr && value->isBool() && value->toBool();
}

Integers NamedArguments::integers(const std::string& name) const {
  const c10::IValue* value = find(name);
  return value == nullptr ? Integers() : graph::integers(*value);
}

std::string NamedArguments::fault(const std::string& name, const std::string& what) const {
  return name + " of " + op() + " " + what;
}

}  // namespace binade::graph
