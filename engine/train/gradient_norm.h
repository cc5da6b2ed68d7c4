// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace binade::train {

/// Returns the norm of all gradients together, 0-dim in float64, as stored in a step's record. Equals norm_of() up to
/// rounding, and is finite if every value is. With many small gradients it avoids one LibTorch call for each.
at::Tensor gradient_norm(const std::vector<at::Tensor>& gradients);

}  // namespace binade::train
