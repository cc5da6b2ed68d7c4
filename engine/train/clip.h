// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <ATen/core/Tensor.h>

#include <vector>

namespace binade::train {

/// The norm of all gradients together, 0-dim; of a sparse gradient its values. As torch::nn::utils::clip_grad_norm_.
at::Tensor norm_of(const std::vector<at::Tensor>& gradients);

/// Limits unscaled, finite gradients in place: first their common norm, which is `norm`, then each value. With the bits
/// of torch::nn::utils::clip_grad_norm_ and clip_grad_value_. Not to be called where `norm` is not finite: the norm's
/// limit would make every gradient 0 or NaN.
void clip(const std::vector<at::Tensor>& gradients, const at::Tensor& norm, const wire::ClipConfig& config);

}  // namespace binade::train
