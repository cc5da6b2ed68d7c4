// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace binade::scaled {

/// Type of stored values.
enum class Storage : std::uint8_t { kFloat32, kBFloat16, kFloat16 };

/// Size in bytes of a stored value.
constexpr int size_of(Storage storage) {
  return storage == Storage::kFloat32 ? 4 : 2;
}

/// An operand of a product as a matrix: `columns` is the dimension that the product contracts. Element (r, c) is at
/// r * row_stride + c * column_stride, counted in elements. One of the strides is 1 in the fast cases. Does not own.
struct InputView {
  const void* data = nullptr;
  Storage storage = Storage::kFloat32;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 1;
  /// Index of element (0, 0) among the elements of its tensor, where a tensor is several matrices: it selects the draws
  /// of stochastic rounding. Element (r, c) has the index first + r * columns + c.
  std::int64_t first = 0;
};

/// Where results of the same rows and columns are written: float32, or bfloat16 rounded to nearest even. May be the
/// input itself, with the same strides and storage.
struct OutputView {
  void* data = nullptr;
  Storage storage = Storage::kFloat32;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 1;
};

/// Rows [first, last) of a view.
struct RowRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

}  // namespace binade::scaled
