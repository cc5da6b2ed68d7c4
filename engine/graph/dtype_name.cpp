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

std::string shape_name(const at::Tensor& tensor) {
  std::string text = dtype_name(tensor.scalar_type()) + "[";
  for (std::int64_t i = 0; i < tensor.dim(); ++i) text += (i > 0 ? "," : "") + std::to_string(tensor.size(i));
  return text + "]";
}

}  // namespace binade::graph
