// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/array.h"
#include "engine/files/progress.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace binade::files {

/// A file of named arrays. Opening reads what arrays there are, not what they hold.
class ArrayFile {
 public:
  virtual ~ArrayFile() = default;

  /// In the file's order. A file of one array without a name calls it as the file, without folder and ending.
  virtual const std::vector<std::string>& names() const = 0;

  /// The arrays of these names, which must be among names(), on the CPU. Whatever its size, an array takes little
  /// memory: what lies uncompressed in the file is mapped, what is packed is unpacked into a file of the cache folder
  /// (Scratch), text stays text. Throws Error{kBadFile} naming file and array where one is damaged or of a kind that is
  /// no tensor's, or where the disk is full; Error{kCancelled} as `progress` says.
  virtual std::map<std::string, Array> read(const std::vector<std::string>& names, const Progress& progress) = 0;
  std::map<std::string, Array> read(const std::vector<std::string>& names) { return read(names, {}); }
};

/// Opens .npy, .npz, .csv, .safetensors, and .pt, .pth, .bin, .ckpt as torch.save writes them. Throws Error{kBadFile}
/// for another ending, a file that is missing or not what its ending says, Error{kUnsafe} for a file of torch.save
/// that would run code.
std::unique_ptr<ArrayFile> open_arrays(const std::string& file);

/// The name that a file of one array gives it: `labels` for `set/labels.npy`.
std::string array_name(const std::string& file);

}  // namespace binade::files
