// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <cstdint>

namespace binade::trial {

/// Moves every element by one unit in the last place, up or down as `generator`, of the CPU, draws. 0 moves to the
/// smallest subnormal of its sign; NaN, infinities and the largest finite values stay. Does nothing for dtypes other
/// than float64, float32, float16 and bfloat16, and for sparse tensors.
void move_by_one_ulp(const at::Tensor& tensor, at::Generator generator);

/// Moves every trainable parameter; with master weights these, which are then rounded into the model. Does not use
/// LibTorch's own random state.
void move_by_one_ulp(train::Training& training, std::uint64_t seed);

}  // namespace binade::trial
