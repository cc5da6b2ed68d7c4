// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>

namespace binade::zip {

/// Fills `bytes` with the archive's content from `offset`, which is inside the archive. May throw.
using ReadAt = std::function<void(std::uint64_t offset, std::span<std::uint8_t> bytes)>;

constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;

/// An entry of an archive, from the directory.
struct Entry {
  std::uint16_t method = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed = 0;    ///< size in the archive, in bytes
  std::uint64_t unpacked = 0;  ///< size after unpacking; equal to `packed` for a stored entry
  std::uint64_t header = 0;    ///< offset of its local header
  std::uint64_t end = 0;       ///< upper limit of its data: offset of the next entry or of the directory
};

struct Directory {
  std::map<std::string, Entry> entries;  ///< by name
  /// False if every entry's checksum is 0, as torch.save writes them after set_crc32_options(False).
  bool checksums = false;
};

/// Reads the directory of the ZIP archive `file` of `size` bytes. Throws Error{kBadFile}, naming the file and the
/// entry, if there is no directory, or if entries share a name or bytes, are outside of the file, encrypted, neither
/// stored nor deflated, or have a size that deflate cannot reach.
///
/// minizip accepts some of these archives, and LibTorch's reader ignores checksums.
Directory read_directory(const std::string& file, std::uint64_t size, const ReadAt& read);

/// Offset of the entry's data. Throws Error{kBadFile} if there is no local header with that name, or if the data
/// extends into the next entry.
std::uint64_t data_offset(const std::string& file, const std::string& name, const Entry& entry, const ReadAt& read);

/// Throws Error{kBadFile} with `file` and the reason `why`.
[[noreturn]] void refuse(const std::string& file, const std::string& why,
                         const std::string& hint = "Copy or save it again.");

}  // namespace binade::zip
