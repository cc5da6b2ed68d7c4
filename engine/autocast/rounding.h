// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/round_kernel.h"

#include <ATen/core/Tensor.h>

namespace binade::autocast {

// Rounding of whole tensors, without autograd history. Input and output are float32; NaN stays, and overflow is as in
// the rounder. On the CPU one pass over the memory by all of LibTorch's threads.

/// A new tensor of the same shape and strides with each value rounded; `tensor` itself if rounding changes nothing. Of
/// a sparse tensor the values are rounded; other layouts without accessible memory (mkldnn) are returned unchanged.
at::Tensor round_values(const at::Tensor& tensor, const formats::Rounder& rounder);

/// Rounds the tensor's memory, and thus all tensors that share it. Neither version nor history change, so a value that
/// an op saved for its backward becomes the rounded one, as with a dtype that holds the format.
void round_memory(const at::Tensor& tensor, const formats::Rounder& rounder);

/// The same rounding with ATen ops on the values' bits, exact on every device; used for CUDA tensors.
at::Tensor round_with_aten(const at::Tensor& tensor, const formats::Rounder& rounder);

}  // namespace binade::autocast
