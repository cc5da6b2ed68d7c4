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

  /// Returns the values of `columns`, in that order, in the rows with these indices (int64 [n]), as [n, columns].
  /// `dtype` is float32, float64, or int64 if all columns are int64. Throws Error{kBadFile} if the file has changed
  /// since it was opened.
  virtual at::Tensor take(std::span<const std::size_t> columns, const at::Tensor& rows, at::ScalarType dtype) const = 0;
  /// Returns the line of a text file at which a row begins, counted from 1; nullopt if it is not known.
  virtual std::optional<std::int64_t> line_of(std::int64_t /*row*/) const { return std::nullopt; }
};

/// Range of all values of an array.
struct ValueRange {
  bool finite = true;
  double lowest = 0;  ///< of the finite values; integers are rounded to float64
  double highest = 0;
  std::optional<LabelRange> labels{};  ///< empty for real numbers, and if all values are -100
};

/// An array of a file: a tensor, which may be mapped, or a column that a RowReader decodes.
struct Array {
  at::ScalarType dtype = at::kFloat;
  std::vector<std::int64_t> shape;  ///< rows first; empty for a single number
  at::Tensor tensor;                ///< undefined if there is a reader
  std::shared_ptr<const RowReader> reader{};
  std::size_t column = 0;  ///< of the reader
  std::optional<ValueRange> range{};

  std::int64_t rows() const { return shape.front(); }
};

Array array_of(at::Tensor tensor);

/// Returns the rows with these indices (int64 [n]) as `dtype`: [n, ...] for one array, [n, arrays, ...] for several of
/// the same shape. Columns of one table are decoded in one pass over its rows.
at::Tensor take_rows(std::span<const Array* const> arrays, const at::Tensor& rows, at::ScalarType dtype);
at::Tensor take_rows(const Array& array, const at::Tensor& rows);

}  // namespace binade::files
