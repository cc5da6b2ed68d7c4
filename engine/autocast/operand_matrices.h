// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaled/quantizer.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace binade::autocast {

/// A contiguous tensor as matrices of one shape, whose columns are the dimension that a product contracts. Strides and
/// offsets count elements.
struct OperandMatrices {
  std::vector<std::int64_t> offsets;
  std::int64_t rows = 0;
  std::int64_t row_stride = 0;
  std::int64_t columns = 0;
  std::int64_t column_stride = 1;
  /// Number of the first value among those of a larger tensor, for the draws of stochastic rounding.
  std::int64_t first = 0;

  /// Matrices of a tensor of shape [count, first, second] with dimension `contracted`, 1 or 2, along the columns.
  static OperandMatrices of(std::int64_t count, std::int64_t first, std::int64_t second, int contracted);

  std::int64_t size() const { return static_cast<std::int64_t>(offsets.size()) * rows * columns; }
};

/// Quantizes whole tensors in parallel, by LibTorch's threads. Tensors on other devices are copied to the CPU and back.
/// Results do not depend on the number of threads. The values are float32, bfloat16 or float16; no autograd history.

/// Largest magnitude, after the format's transform; NaN if there is a NaN.
float largest_of(const at::Tensor& tensor, const OperandMatrices& matrices, const scaled::Quantizer& quantizer);

/// The values that a device would multiply, as a float32 tensor of the same shape, which is contiguous. `stats` may be
/// null; else it receives the statistics of all values.
at::Tensor quantized(const at::Tensor& tensor, const OperandMatrices& matrices, const scaled::Quantizer& quantizer,
                     const scaled::Scale& scale, scaled::BlockStats* stats);

/// Makes the values of some rows of a matrix, on the thread that reads them next and while its cache holds them.
using MakeRows = std::function<void(std::int64_t matrix, scaled::RowRange rows)>;

/// As quantized(), into a contiguous float32 tensor of the same shape on the CPU, which may be `from` itself. `make`
/// may be empty: then `from` has its values.
void quantize(const at::Tensor& from, const at::Tensor& to, const OperandMatrices& matrices,
              const scaled::Quantizer& quantizer, const scaled::Scale& scale, scaled::BlockStats* stats,
              const MakeRows& make = {});

/// As largest_of(), for a float32 tensor on the CPU, and leaves the transformed values in its memory: what remains is
/// to quantize them without_transform().
float transform_in_place(const at::Tensor& tensor, const OperandMatrices& matrices, const scaled::Quantizer& quantizer,
                         const MakeRows& make = {});

}  // namespace binade::autocast
