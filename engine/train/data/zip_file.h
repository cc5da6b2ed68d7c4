// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/data/bytes.h"
#include "engine/train/waiting.h"

#include <cstdint>
#include <map>
#include <string>

namespace binade::train {

/// A ZIP archive, as NumPy and PyTorch write them, read through a map: what is stored uncompressed is not copied.
class ZipFile {
 public:
  /// Reads the directory. Throws Error{kBadFile} where the file is missing, damaged or no archive.
  explicit ZipFile(const std::string& file);

  struct Entry {
    std::uint16_t method = 0;
    std::uint32_t crc = 0;
    std::uint64_t packed = 0;    ///< bytes in the archive
    std::uint64_t unpacked = 0;  ///< bytes once unpacked
    std::uint64_t header = 0;    ///< where its local header begins
  };
  /// By name.
  const std::map<std::string, Entry>& entries() const { return entries_; }

  /// An entry's bytes: a part of the map where it is stored, else unpacked (Scratch) and checked against its checksum.
  /// Throws Error{kBadFile} naming file and entry where it is absent, damaged, encrypted, packed in another way than
  /// deflate, or the disk is full; Error{kCancelled} as `waiting` says.
  Bytes read(const std::string& name, const Waiting& waiting = {}) const;
  /// The same, with what is stored checked against its checksum too, up to a gigabyte. Not for files of torch.save,
  /// which may have none.
  Bytes read_checked(const std::string& name, const Waiting& waiting) const;

 private:
  void read_directory();
  void add_entry(std::uint64_t& at, std::uint64_t end);
  Bytes unpacked(const std::string& name, const Entry& entry, const Bytes& packed, const Waiting& waiting) const;
  [[noreturn]] void refuse(const std::string& why) const;

  std::string file_;
  Bytes bytes_;
  std::map<std::string, Entry> entries_;
};

}  // namespace binade::train
