// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/label_range.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace binade::files {

/// A table whose rows are decoded when they are taken. Const functions may run on several threads.
class RowReader {
 public:
  virtual ~RowReader() = default;

  /// The values of some columns, side by side and in the order of `columns`, in the rows of these indices (int64 [n]):
  /// [n, columns]. `dtype` is int64, where all of them are whole, float32 or float64. Throws Error{kBadFile} where the
  /// file has changed since it was opened.
  virtual at::Tensor take(std::span<const std::size_t> columns, const at::Tensor& rows, at::ScalarType dtype) const = 0;
};

/// What is known of all of an array's values without looking at them again.
struct ValueRange {
  bool finite = true;
  double lowest = 0;  ///< of those that are finite; of whole ones to the precision of float64
  double highest = 0;
  std::optional<LabelRange> labels{};  ///< of an array of whole numbers with others than -100
};

/// An array as a file holds it: a tensor, which may be mapped, or a column that a RowReader decodes.
struct Array {
  at::ScalarType dtype = at::kFloat;
  std::vector<std::int64_t> shape;  ///< rows first; empty: a single number, which has none
  at::Tensor tensor;                ///< undefined where there is a reader
  std::shared_ptr<const RowReader> reader{};
  std::size_t column = 0;  ///< of the reader
  std::optional<ValueRange> range{};

  std::int64_t rows() const { return shape.front(); }
};

Array array_of(at::Tensor tensor);

/// The rows of these indices (int64 [n]) as `dtype`: [n, ...] of one array, [n, arrays, ...] of several, which have one
/// shape. Columns of one table are decoded in one pass over its rows.
at::Tensor take_rows(std::span<const Array* const> arrays, const at::Tensor& rows, at::ScalarType dtype);
at::Tensor take_rows(const Array& array, const at::Tensor& rows);

}  // namespace binade::files
