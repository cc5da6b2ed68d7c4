// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/array.h"
#include "engine/files/progress.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace binade::files {

/// A file of named arrays. Opening it reads the names only, not the values.
class ArrayFile {
 public:
  virtual ~ArrayFile() = default;

  /// Names in the file's order. A single array without a name is called as array_name().
  virtual const std::vector<std::string>& names() const = 0;

  /// Returns the arrays of these names, which must be among names(), on the CPU. Large arrays take little memory:
  /// uncompressed data is mapped, compressed data is unpacked into a file in the cache folder (Scratch), and text stays
  /// mapped text. Throws Error{kBadFile}, naming file and array, if an array is damaged or has no tensor dtype, or if
  /// the disk is full; Error{kCancelled} as Progress::report().
  virtual std::map<std::string, Array> read(const std::vector<std::string>& names, const Progress& progress) = 0;
  std::map<std::string, Array> read(const std::vector<std::string>& names) { return read(names, {}); }
};

/// Opens .npy, .npz, .csv, .safetensors, and .pt, .pth, .bin, .ckpt as written by torch.save. Throws Error{kBadFile} if
/// the file is missing, has another ending, or does not match its ending; Error{kUnsafe} for a torch.save file that
/// would run code.
std::unique_ptr<ArrayFile> open_arrays(const std::string& file);

/// Name of the array in a file of one array: `labels` for `set/labels.npy`.
std::string array_name(const std::string& file);

}  // namespace binade::files
