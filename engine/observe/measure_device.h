// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"
#include "engine/observe/device_block.h"

#include <ATen/core/Tensor.h>

#include <span>

namespace binade::observe {

/// Measures a tensor on another device. Returns a row of numbers on that device, without synchronising; rows are copied
/// to the host once per step. On CUDA one kernel launch. If the kernel is unavailable (DeviceKernel::why), ATen ops,
/// which count binades but not what other formats do.
at::Tensor device_row(const at::Tensor& tensor, const formats::Format& watched,
                      formats::Depth depth = formats::Depth::kFormats);

/// Adds the measurement of another tensor to a row made with the same `watched` and `depth` on the same device. Used
/// for calls in loops and micro-batches. Returns false, without effect, if rows are not made by the kernel.
bool add_to_device_row(const at::Tensor& tensor, const formats::Format& watched, formats::Depth depth,
                       const at::Tensor& row);

/// Measures many tensors of one device into the rows of one tensor, with as few launches as possible. Each must be
/// measurable.
at::Tensor device_rows(std::span<const at::Tensor> tensors, const formats::Format& watched,
                       formats::Depth depth = formats::Depth::kFormats);

/// Adds a row, copied to the CPU, to `stats`.
void add_row(const at::Tensor& row, const formats::Format& watched, at::ScalarType dtype, formats::TensorStats& stats);

/// Converts the kernel's counts to statistics.
formats::TensorStats stats_of(const device::Tally& tally);

}  // namespace binade::observe
