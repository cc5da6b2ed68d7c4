// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/arguments.h"

#include <c10/util/Exception.h>

namespace binade::autocast {

namespace {

/// Calls `visit` on every tensor of an argument: Tensor, Tensor?, Tensor[]. A Tensor?[] (the indices of index_put) is
/// neither cast nor asked, as upstream.
template <class Visit>
void each_tensor(const c10::IValue& value, Visit visit) {
  if (value.isTensor()) {
    visit(value.toTensor());
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) visit(tensor);
  }
}

}  // namespace

bool Arguments::castable(std::size_t i) const {
  if (roles.empty()) return true;
  return roles[i] == graph::Role::kData || roles[i] == graph::Role::kWeight;
}

bool eligible(const at::Tensor& tensor) {
  return tensor.defined() && tensor.is_floating_point() && tensor.scalar_type() != at::kDouble;
}

at::ScalarType dtype_of(const formats::Format& format) {
  if (format == formats::kFloat32) return at::kFloat;
  if (format == formats::kFloat16) return at::kHalf;
  if (format == formats::kBFloat16) return at::kBFloat16;
  return at::ScalarType::Undefined;
}

void cast_all(const Arguments& arguments, at::ScalarType dtype, CastCache& cache) {
  for (std::size_t i = 0; i < arguments.count; ++i) {
    if (!arguments.castable(i)) continue;
    c10::IValue& value = arguments[i];
    if (value.isTensor()) {
      const at::Tensor& tensor = value.toTensor();
      if (eligible(tensor) && tensor.scalar_type() != dtype) value = cache.cast(tensor, dtype);
    } else if (value.isTensorList()) {
      c10::List<at::Tensor> cast;
      for (const at::Tensor& tensor : value.toTensorVector()) {
        cast.push_back(eligible(tensor) ? cache.cast(tensor, dtype) : tensor);
      }
      value = std::move(cast);
    }
  }
}

at::ScalarType promoted(const Arguments& arguments, at::ScalarType low, bool strict, const std::string& op) {
  at::ScalarType current = low;
  for (std::size_t i = 0; i < arguments.count; ++i) {
    each_tensor(arguments[i], [&](const at::Tensor& tensor) {
      if (!eligible(tensor) || current == at::kFloat || tensor.scalar_type() == current) return;
      TORCH_CHECK(!strict || tensor.scalar_type() == at::kFloat,
                  "Unexpected floating ScalarType in at::autocast::prioritize (", op, " got ", tensor.scalar_type(),
                  " where the low format is ", low, ")");
      current = at::kFloat;
    });
  }
  return current;
}

at::ScalarType widest_if_mixed(const Arguments& arguments) {
  at::ScalarType widest = at::ScalarType::Undefined;
  bool mixed = false;
  bool has_double = false;
  for (std::size_t i = 0; i < arguments.count; ++i) {
    if (!arguments.castable(i)) continue;
    each_tensor(arguments[i], [&](const at::Tensor& tensor) {
      if (!tensor.defined() || !tensor.is_floating_point() || tensor.dim() == 0) return;
      const at::ScalarType dtype = tensor.scalar_type();
      has_double = has_double || dtype == at::kDouble;
      mixed = mixed || (widest != at::ScalarType::Undefined && widest != dtype);
      widest = widest == at::ScalarType::Undefined ? dtype : c10::promoteTypes(widest, dtype);
    });
  }
  return mixed && !has_double ? widest : at::ScalarType::Undefined;
}

void set_dtype(const Arguments& arguments, std::span<const std::string> names) {
  if (arguments.count == 0 || !arguments[0].isTensor() || !eligible(arguments[0].toTensor())) return;
  for (std::size_t i = 0; i < arguments.count && i < names.size(); ++i) {
    if (names[i] == "dtype" && arguments[i].isNone()) arguments[i] = static_cast<std::int64_t>(at::kFloat);
  }
}

}  // namespace binade::autocast
