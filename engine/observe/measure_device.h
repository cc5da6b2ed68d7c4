// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"

#include <ATen/core/Tensor.h>

namespace binade::observe {

/// The same look for a tensor on another device, in ATen ops: a row of numbers that stays on the device, so that
/// nothing waits. Many rows are stacked and copied home once a step.
at::Tensor device_row(const at::Tensor& tensor, const formats::Format& watched);

/// Adds a row, brought to the CPU, to `stats`.
void add_row(const at::Tensor& row, const formats::Format& watched, at::ScalarType dtype, formats::TensorStats& stats);

}  // namespace binade::observe
