// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/grad_scaler.h"

#include <ATen/core/jit_type.h>
#include <c10/util/Exception.h>

namespace binade::scaler {

at::Tensor GradScaler::scale_tensor(const at::Tensor& output, Copies& copies) {
  make_tensors(output.device());
  auto copy = copies.begin();
  while (copy != copies.end() && copy->first != output.device()) ++copy;
  if (copy == copies.end()) {
    copies.emplace_back(output.device(), scale_.to(output.device(), at::kFloat, /*non_blocking=*/true));
    copy = std::prev(copies.end());
  }
  return output.mul(copy->second);
}

at::Tensor GradScaler::scale(const at::Tensor& outputs) {
  if (!options_.enabled) return outputs;
  Copies copies;
  return scale_tensor(outputs, copies);
}

c10::IValue GradScaler::scale(const c10::IValue& outputs) {
  if (!options_.enabled) return outputs;
  Copies copies;
  return scale_value(outputs, copies);
}

c10::IValue GradScaler::scale_value(const c10::IValue& outputs, Copies& copies) {
  if (outputs.isTensor()) return scale_tensor(outputs.toTensor(), copies);
  if (outputs.isList()) {
    const auto from = outputs.toList();
    c10::impl::GenericList scaled(from.elementType());
    scaled.reserve(from.size());
    for (const c10::IValue& output : from) scaled.push_back(scale_value(output, copies));
    return scaled;
  }
  if (outputs.isTuple()) {
    const auto& from = outputs.toTupleRef();
    std::vector<c10::IValue> scaled;
    for (const c10::IValue& output : from.elements()) scaled.push_back(scale_value(output, copies));
    const auto type = from.type<c10::TupleType>();
    if (type->schema()) return c10::ivalue::Tuple::createNamed(std::move(scaled), type);
    return c10::ivalue::Tuple::create(std::move(scaled));
  }
  if (outputs.isGenericDict()) {
    const auto from = outputs.toGenericDict();
    c10::impl::GenericDict scaled(from.keyType(), from.valueType());
    scaled.reserve(from.size());
    for (const auto& entry : from) scaled.insert(entry.key(), scale_value(entry.value(), copies));
    return scaled;
  }
  TORCH_CHECK_VALUE(false, "outputs must be a Tensor or an iterable of Tensors");
}

}  // namespace binade::scaler
