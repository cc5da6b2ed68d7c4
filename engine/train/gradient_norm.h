// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace binade::train {

/// The norm of all gradients together, 0-dim and in float64, as a step's record carries it: norm_of() up to rounding,
/// and finite wherever every value is. Where gradients are many and small, a call of LibTorch for each costs more than
/// the sum.
at::Tensor gradient_norm(const std::vector<at::Tensor>& gradients);

}  // namespace binade::train
