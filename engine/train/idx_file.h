// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace binade::train {

/// Reads an IDX file, plain or gzip, of unsigned bytes or float32: a CPU tensor (uint8 or float32) of the file's shape.
/// Throws Error{kBadData} naming the file for a missing, truncated, overlong or foreign one.
at::Tensor read_idx(const std::string& file);

}  // namespace binade::train
