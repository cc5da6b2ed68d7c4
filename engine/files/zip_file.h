// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/bytes.h"
#include "engine/files/progress.h"
#include "engine/zip/directory.h"

#include <cstdint>
#include <map>
#include <string>

namespace binade::files {

/// A ZIP archive, as NumPy and PyTorch write them, read through a map: what is stored uncompressed is not copied.
class ZipFile {
 public:
  /// Reads the directory. Throws Error{kBadFile} where the file is missing, and as zip::read_directory says.
  explicit ZipFile(const std::string& file);

  /// By name.
  const std::map<std::string, zip::Entry>& entries() const { return directory_.entries; }

  /// An entry's bytes, checked against its checksum: a part of the map where it is stored, else unpacked (Scratch).
  /// Throws Error{kBadFile} naming file and entry where it is absent, damaged, or the disk is full; Error{kCancelled}
  /// as `progress` says.
  Bytes read(const std::string& name, const Progress& progress = {}) const;

  /// The same without reading the stored data, so that large files open at once; check() reads it.
  Bytes read_unchecked(const std::string& name, const Progress& progress = {}) const;
  /// Compares an entry with its checksum where the archive has some. Throws as read().
  void check(const std::string& name, const Progress& progress) const;

 private:
  zip::ReadAt reader() const;
  const zip::Entry& entry_of(const std::string& name) const;
  Bytes unpacked(const std::string& name, const zip::Entry& entry, const Bytes& packed, const Progress& progress) const;
  [[noreturn]] void refuse(const std::string& why) const;

  std::string file_;
  Bytes bytes_;
  zip::Directory directory_;
};

}  // namespace binade::files
