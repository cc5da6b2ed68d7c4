// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"

#include <ATen/core/Tensor.h>

namespace binade::observe {

/// The values of a tensor in a form that can be measured: on its device, dense, in float32, float16 or bfloat16,
/// without history. Undefined where there is nothing to measure: no tensor, no memory (meta), integers, truth values.
/// - Any strides; an expanded tensor has its values as often as it shows them.
/// - Sparse: the values that are stored, those of one place added up first. What is not stored is not counted.
/// - Complex: real and imaginary parts, as values of their own.
/// - float64: rounded to float32; finite values stay finite (the largest float32) and non-zero ones non-zero (the
///   smallest). float8: widened.
at::Tensor values_of(const at::Tensor& tensor);

/// Whether values_of has something for a tensor, and that is not empty.
bool measurable(const at::Tensor& tensor);

/// Whether tensors of a dtype have been rounded to the format already.
bool holds(at::ScalarType dtype, const formats::Format& format);

/// Adds what one pass over a CPU tensor shows to `stats`; nothing where it is not measurable. Limits are those of
/// `watched`; a tensor stored in that format is marked censored. The same bits whatever the number of threads.
void measure(const at::Tensor& tensor, const formats::Format& watched, formats::TensorStats& stats,
             formats::Depth depth = formats::Depth::kFormats);

/// The cheap look for steps between histograms: count and largest magnitude, and only where something reaches the
/// format's limit the exact counts of overflow and non-finite values. Marks `stats` as a scan.
void scan(const at::Tensor& tensor, const formats::Format& watched, formats::TensorStats& stats);

}  // namespace binade::observe
