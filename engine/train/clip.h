// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <ATen/core/Tensor.h>

#include <vector>

namespace binade::train {

/// Returns the norm of all gradients together as a 0-dim tensor, like torch::nn::utils::clip_grad_norm_. A sparse
/// gradient counts by its values.
at::Tensor norm_of(const std::vector<at::Tensor>& gradients);

/// Clips unscaled, finite gradients in place: first by their common norm, which is `norm`, then by value. Bit-identical
/// to torch::nn::utils::clip_grad_norm_ and clip_grad_value_. `norm` must be finite, since clipping by another would
/// set every gradient to 0 or NaN.
void clip(const std::vector<at::Tensor>& gradients, const at::Tensor& norm, const wire::ClipConfig& config);

}  // namespace binade::train
