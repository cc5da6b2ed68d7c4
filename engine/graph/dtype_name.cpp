// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/dtype_name.h"

#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cctype>

namespace binade::graph {

std::string dtype_name(at::ScalarType dtype) {
  const auto [primary, legacy] = c10::getDtypeNames(dtype);
  return primary;
}

std::string shape_text(at::IntArrayRef shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i > 0 ? "," : "") + std::to_string(shape[i]);
  return text + "]";
}

std::string shape_name(const at::Tensor& tensor) {
  return dtype_name(tensor.scalar_type()) + shape_text(tensor.sizes());
}

}  // namespace binade::graph
