// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/silent/evidence.h"

#include <ATen/core/Tensor.h>

namespace binade::train {

/// Whether a cast of `before` to `format` may lose what counts: a notable share of the norm to 0, or whole numbers
/// beyond those that the format holds. One cheap pass over a CPU tensor; of another device's always true, since asking
/// it would have to wait.
bool may_lose(const at::Tensor& before, const formats::Format& format);

/// What a cast changed, on the tensor's device: a row of numbers for read_cast_loss(). Equal sizes; `after` in any
/// dtype that holds the cast values.
at::Tensor cast_loss(const at::Tensor& before, const at::Tensor& after, const formats::Format& format);

/// Fills in the figures of `seen` from such a row, which is on the CPU.
void read_cast_loss(const at::Tensor& row, silent::ArgumentSeen& seen);

}  // namespace binade::train
