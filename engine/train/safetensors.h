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
  std::map<std::string, std::string> metadata;  ///< without the checksums
  bool has_checksums = false;                   ///< as write_safetensors() writes them; they have been checked then
};

/// Maps a file: its tensors may be written to, which changes this process's copy only. Who has looked at them calls
/// check_mapped(). Throws Error{kBadFile} naming file, tensor and what is wrong: truncated, overlong, an unknown dtype,
/// sizes or offsets that do not match, a name that stands twice, a checksum that does not match.
Safetensors read_safetensors(const std::string& file);

/// The same for data, whose rows take_rows() takes: no array is copied (raw_tensor_over), and none is read to check it.
Safetensors map_safetensors(const std::string& file);

/// What the header says, without the tensors; they are not read.
Safetensors read_safetensors_header(const std::string& file);

/// Writes tensors of any device and layout in memory, atomically (AtomicFile); the same input gives the same bytes.
/// Python's safetensors reads it. Two entries of the metadata are the file's own: `crc32`, the checksum of each
/// tensor's bytes as JSON, and `crc32_header`, of the length and the header with these eight digits as zeros. Throws
/// Error{kBadFile} where the file cannot be written, Error{kUsage} naming a tensor that has no place in one: sparse,
/// quantised, complex128, or of a name given twice.
void write_safetensors(const std::string& file, const std::vector<std::pair<std::string, at::Tensor>>& tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace binade::train
