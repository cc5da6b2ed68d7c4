// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace binade::files {

/// Contents of a safetensors file.
struct Safetensors {
  std::map<std::string, at::Tensor> tensors;
  std::map<std::string, std::string> metadata;  ///< without the checksums
  bool has_checksums = false;                   ///< the file has the checksums of write_safetensors(), and they were
                                                ///< correct
};

/// Maps a file. Its tensors may be written to, which changes this process's copy only. Call check_mapped() after
/// reading them. Throws Error{kBadFile}, naming file, tensor and fault: truncated, too long, unknown dtype, wrong sizes
/// or offsets, a duplicate name, a wrong checksum.
Safetensors read_safetensors(const std::string& file);

/// As read_safetensors(), for data read by take_rows(): arrays are not copied (raw_tensor_over) and not verified.
Safetensors map_safetensors(const std::string& file);

/// Reads the header without the tensors.
Safetensors read_safetensors_header(const std::string& file);

/// Writes tensors of any device and memory layout, atomically (AtomicFile). Equal input gives equal bytes, readable by
/// Python's safetensors. Two metadata entries are added: `crc32`, each tensor's checksum as JSON, and `crc32_header`,
/// the checksum of length and header with its own eight digits as zeros. Throws Error{kBadFile} if the file cannot be
/// written, Error{kUsage}, naming the tensor, for one that is sparse, quantised or complex128, or a duplicate name.
void write_safetensors(const std::string& file, const std::vector<std::pair<std::string, at::Tensor>>& tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace binade::files
