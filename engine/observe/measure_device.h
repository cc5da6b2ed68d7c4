// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"
#include "engine/observe/device_block.h"

#include <ATen/core/Tensor.h>

#include <span>

namespace binade::observe {

/// The same look for a tensor on another device: a row of numbers that stays there, so that nothing waits. Many rows
/// are stacked and copied home once a step. One launch of the kernel on CUDA; in ATen ops where that cannot be
/// (DeviceKernel::why), which count binades but not what formats do.
at::Tensor device_row(const at::Tensor& tensor, const formats::Format& watched,
                      formats::Depth depth = formats::Depth::kFormats);

/// Adds a further look to a row that the same `watched` and `depth` gave, on the same device: calls of a loop and
/// micro-batches share one. False, and nothing done, where rows are not made by the kernel.
bool add_to_device_row(const at::Tensor& tensor, const formats::Format& watched, formats::Depth depth,
                       const at::Tensor& row);

/// The same for many tensors of one device, as the rows of one tensor: as few launches as can be, for the many small
/// gradients of a model. Each must be measurable.
at::Tensor device_rows(std::span<const at::Tensor> tensors, const formats::Format& watched,
                       formats::Depth depth = formats::Depth::kFormats);

/// Adds a row, brought to the CPU, to `stats`.
void add_row(const at::Tensor& row, const formats::Format& watched, at::ScalarType dtype, formats::TensorStats& stats);

/// What the kernel counted, as statistics.
formats::TensorStats stats_of(const device::Tally& tally);

}  // namespace binade::observe
