// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace binade::train {

/// What a safetensors file holds.
struct Safetensors {
  std::map<std::string, at::Tensor> tensors;
  std::map<std::string, std::string> metadata;
};

/// Maps a file: its tensors are read as they are looked at and may be written to, which changes this process's copy
/// only. Throws Error{kBadFile} naming file, tensor and what is wrong: truncated, overlong, an unknown dtype, sizes or
/// offsets that do not match, a name that stands twice.
Safetensors read_safetensors(const std::string& file);

/// The same for data, whose rows take_rows() takes: no array is copied (raw_tensor_over).
Safetensors map_safetensors(const std::string& file);

/// Writes tensors of any device and layout in memory, atomically (AtomicFile); the same input gives the same bytes.
/// Python's safetensors reads it. Throws Error{kBadFile} where the file cannot be written, Error{kUsage} naming a
/// tensor that has no place in one: sparse, quantised, complex128, or of a name given twice.
void write_safetensors(const std::string& file, const std::vector<std::pair<std::string, at::Tensor>>& tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace binade::train
