// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/silent/evidence.h"

#include <ATen/core/Tensor.h>

namespace binade::evidence {

/// Returns whether casting `before` to `format` may lose something relevant: a notable share of the norm, or integers
/// outside the exact range. One cheap pass over a CPU tensor. Always true for other devices, to avoid synchronising.
bool may_lose(const at::Tensor& before, const formats::Format& format);

/// Computes what a cast changed, on the tensor's device, as a row for read_cast_loss(). The tensors have equal sizes;
/// `after` may have any dtype that holds the cast values.
at::Tensor cast_loss(const at::Tensor& before, const at::Tensor& after, const formats::Format& format);

/// Fills in the figures of `seen` from such a row on the CPU.
void read_cast_loss(const at::Tensor& row, silent::ArgumentSeen& seen);

}  // namespace binade::evidence
