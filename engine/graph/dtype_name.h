// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace binade::graph {

/// `float32`, `bfloat16`, `int64`, ...: PyTorch's name of a dtype.
std::string dtype_name(at::ScalarType dtype);

/// `[64,10]`; `[]` for a single number.
std::string shape_text(at::IntArrayRef shape);

/// `float32[64,10]`.
std::string shape_name(const at::Tensor& tensor);

}  // namespace binade::graph
