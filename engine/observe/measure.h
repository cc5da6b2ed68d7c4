// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"

#include <ATen/core/Tensor.h>

namespace binade::observe {

/// Adds what one pass over a CPU tensor (float32, float16 or bfloat16; any strides) shows to `stats`. Limits are those
/// of `watched`; a tensor stored in that format is marked censored.
void measure(const at::Tensor& tensor, const formats::Format& watched, formats::TensorStats& stats);

/// The cheap look for steps between histograms: count and largest magnitude, and only where something reaches the
/// format's limit the exact counts of overflow and non-finite values. Marks `stats` as a scan.
void scan(const at::Tensor& tensor, const formats::Format& watched, formats::TensorStats& stats);

/// Whether measure and scan can look at a tensor.
bool measurable(const at::Tensor& tensor);

}  // namespace binade::observe
