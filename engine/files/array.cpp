// SPDX-License-Identifier: Apache-2.0
#include "engine/files/array.h"

#include "engine/files/bytes.h"

#include <ATen/ops/stack.h>

#include <algorithm>
#include <utility>

namespace binade::files {

namespace {

bool decodes_to(at::ScalarType dtype) {
  return dtype == at::kLong || dtype == at::kFloat || dtype == at::kDouble;
}

}  // namespace

Array array_of(at::Tensor tensor) {
  Array array;
  array.dtype = tensor.scalar_type();
  array.shape = tensor.sizes().vec();
  array.tensor = std::move(tensor);
  return array;
}

at::Tensor take_rows(const Array& array, const at::Tensor& rows) {
  if (!array.reader) return take_rows(array.tensor, rows);
  return array.reader->take({&array.column, 1}, rows, array.dtype).squeeze(1);
}

at::Tensor take_rows(std::span<const Array* const> arrays, const at::Tensor& rows, at::ScalarType dtype) {
  if (arrays.size() == 1) return take_rows(*arrays.front(), rows).to(dtype);
  std::vector<at::Tensor> parts(arrays.size());
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (parts[i].defined()) continue;
    const Array& array = *arrays[i];
    if (!array.reader || !decodes_to(dtype)) {
      parts[i] = take_rows(array, rows).to(dtype);
      continue;
    }
    std::vector<std::size_t> places;
    std::vector<std::size_t> columns;
    for (std::size_t k = i; k < arrays.size(); ++k) {
      if (arrays[k]->reader != array.reader) continue;
      places.push_back(k);
      columns.push_back(arrays[k]->column);
    }
    const at::Tensor block = array.reader->take(columns, rows, dtype);
    if (places.size() == arrays.size()) return block;
    for (std::size_t k = 0; k < places.size(); ++k) parts[places[k]] = block.select(1, static_cast<std::int64_t>(k));
  }
  return at::stack(parts, 1);
}

}  // namespace binade::files
