// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>

namespace binade::zip {

/// Fills `bytes` with what stands in an archive from `offset`, which lies inside of it. May throw.
using ReadAt = std::function<void(std::uint64_t offset, std::span<std::uint8_t> bytes)>;

constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;

/// An entry of an archive, as the directory describes it.
struct Entry {
  std::uint16_t method = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed = 0;    ///< bytes in the archive
  std::uint64_t unpacked = 0;  ///< bytes once unpacked; of a stored entry as many
  std::uint64_t header = 0;    ///< where its local header begins
  std::uint64_t end = 0;       ///< its bytes lie before this: where the next entry begins, or the directory
};

struct Directory {
  std::map<std::string, Entry> entries;  ///< by name
  /// False where every entry's checksum is 0, as torch.save writes them after set_crc32_options(False).
  bool checksums = false;
};

/// The directory of the ZIP archive `file` of `size` bytes. Throws Error{kBadFile} naming the file and the entry: where
/// there is none, where entries share a name or bytes, lie outside of the file, are encrypted, packed in another way
/// than deflate, or have a size that deflate cannot make of theirs.
Directory read_directory(const std::string& file, std::uint64_t size, const ReadAt& read);

/// Where the entry's bytes begin. Throws Error{kBadFile} where no header of that name stands there or the bytes reach
/// into the next entry.
std::uint64_t data_offset(const std::string& file, const std::string& name, const Entry& entry, const ReadAt& read);

/// Throws Error{kBadFile}: `file` and why it cannot be used.
[[noreturn]] void refuse(const std::string& file, const std::string& why,
                         const std::string& hint = "Copy or save it again.");

}  // namespace binade::zip
