// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/round_kernel.h"

#include <ATen/core/Tensor.h>

namespace binade::autocast {

// Rounding of whole tensors, without history. Float32 in, float32 out; NaN stays, and what lies beyond the format
// becomes what the rounder says. On the CPU one pass over the memory by all of LibTorch's threads.

/// A new tensor of the same shape and strides, each value rounded. `tensor` itself where rounding changes nothing.
/// A sparse tensor's values are rounded; other layouts without memory to look at (mkldnn) come back as they are.
at::Tensor round_values(const at::Tensor& tensor, const formats::Rounder& rounder);

/// Rounds the tensor's memory, and with it what shares that memory. Neither version nor history change: a value that
/// an op has saved for its backward is then the rounded one, as it is where a dtype holds the format.
void round_memory(const at::Tensor& tensor, const formats::Rounder& rounder);

/// The same rounding made of ATen ops on the values' bits, exact on every device; what CUDA tensors go through.
at::Tensor round_with_aten(const at::Tensor& tensor, const formats::Rounder& rounder);

}  // namespace binade::autocast
