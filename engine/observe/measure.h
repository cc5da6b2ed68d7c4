// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"

#include <ATen/core/Tensor.h>

namespace binade::observe {

/// Returns the values of a tensor in a measurable form: on its device, dense, in float32, float16 or bfloat16, without
/// history. Undefined for an undefined tensor, meta tensors, integers and bools.
/// - Strides: any; an expanded tensor counts its values as often as they appear.
/// - Sparse: the stored values, with duplicates summed first. Values that are not stored are not counted.
/// - Complex: real and imaginary parts as separate values.
/// - float64: rounded to float32. Finite values stay finite, non-zero ones stay non-zero.
/// - float8: widened.
at::Tensor values_of(const at::Tensor& tensor);

/// Returns whether values_of() gives a non-empty tensor.
bool measurable(const at::Tensor& tensor);

/// Returns whether tensors of this dtype are stored in the format, so that they have been rounded already.
bool holds(at::ScalarType dtype, const formats::Format& format);

/// Adds the statistics of a CPU tensor, taken in one pass, to `stats`; does nothing if it is not measurable. Overflow
/// and underflow refer to `watched`; a tensor stored in that format is marked censored. The result has the same bits
/// for any number of threads.
void measure(const at::Tensor& tensor, const formats::Format& watched, formats::TensorStats& stats,
             formats::Depth depth = formats::Depth::kFormats);

/// A cheaper pass over a CPU tensor: count and largest magnitude. Only if a value reaches the format's limit, overflow
/// and non-finite values are counted too. Marks `stats` as a scan.
void scan(const at::Tensor& tensor, const formats::Format& watched, formats::TensorStats& stats);

}  // namespace binade::observe
