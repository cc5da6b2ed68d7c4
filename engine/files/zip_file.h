// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/bytes.h"
#include "engine/files/progress.h"
#include "engine/zip/directory.h"

#include <cstdint>
#include <map>
#include <string>

namespace binade::files {

/// A mapped ZIP archive as NumPy and PyTorch write it. Stored (uncompressed) entries are not copied.
class ZipFile {
 public:
  /// Reads the directory. Throws Error{kBadFile} if the file is missing, and as zip::read_directory().
  explicit ZipFile(const std::string& file);

  /// All entries by name.
  const std::map<std::string, zip::Entry>& entries() const { return directory_.entries; }

  /// Returns an entry's bytes after verifying its checksum. Stored entries are part of the mapped file; others are
  /// unpacked (Scratch). Throws Error{kBadFile}, naming file and entry, if it is missing or damaged or the disk is
  /// full; Error{kCancelled} as Progress::report().
  Bytes read(const std::string& name, const Progress& progress = {}) const;

  /// As read(), but does not verify stored entries, so that large files open at once. check() verifies them.
  Bytes read_unchecked(const std::string& name, const Progress& progress = {}) const;
  /// Verifies an entry's checksum if the archive has checksums. Throws as read().
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
