// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/operand_matrices.h"
#include "engine/wire/what_if.h"

#include <ATen/core/Tensor.h>

#include <vector>

namespace binade::compare {

/// The blocks of a quantized operand with the lowest signal to noise, at most `most`, the worst first. `from` and `to`
/// are contiguous, on the CPU, of the shape that `matrices` describes; `to` is float32. `format` has no transform.
/// Blocks of zeros and those with infinity or NaN are left out.
std::vector<wire::QuantizedBlock> worst_blocks(const at::Tensor& from, const at::Tensor& to,
                                               const autocast::OperandMatrices& matrices,
                                               const scaled::ScaledFormat& format, const scaled::Scale& tensor,
                                               int most);

}  // namespace binade::compare
