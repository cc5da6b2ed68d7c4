// SPDX-License-Identifier: Apache-2.0
#include "engine/train/data/zip_file.h"

#include "engine/formats/error.h"
#include "engine/train/data/scratch.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <new>
#include <optional>
#include <vector>

// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, sections 4.3 and 4.5.3 (ZIP64).

namespace binade::train {

namespace {

constexpr std::uint32_t kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50;
constexpr std::uint32_t kEnd64Locator = 0x07064b50;
constexpr std::uint32_t kDirectoryEntry = 0x02014b50;
constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint64_t kEndSize = 22;
constexpr std::uint64_t kEntrySize = 46;
constexpr std::uint64_t kLocalSize = 30;
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;  // the number stands in the ZIP64 part
constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;

/// Little-endian numbers of a span; nothing beyond its end.
class Numbers {
 public:
  explicit Numbers(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool holds(std::uint64_t at, std::uint64_t size) const { return at <= bytes_.size() && size <= bytes_.size() - at; }

  template <class T>
  T get(std::uint64_t at) const {
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) value = static_cast<T>(value | T{bytes_[at + i]} << (8 * i));
    return value;
  }
  std::uint16_t u16(std::uint64_t at) const { return static_cast<std::uint16_t>(bytes_[at] | bytes_[at + 1] << 8); }
  std::uint32_t u32(std::uint64_t at) const { return get<std::uint32_t>(at); }
  std::uint64_t u64(std::uint64_t at) const { return get<std::uint64_t>(at); }

 private:
  std::span<const std::uint8_t> bytes_;
};

/// Where the end record begins: the last one whose comment fits.
std::optional<std::uint64_t> find_end(const Numbers& numbers, std::uint64_t size) {
  if (size < kEndSize) return std::nullopt;
  const std::uint64_t first = size - std::min<std::uint64_t>(size, kEndSize + 0xFFFF);
  for (std::uint64_t at = size - kEndSize + 1; at-- > first;) {
    if (numbers.u32(at) == kEnd && at + kEndSize + numbers.u16(at + 20) == size) return at;
  }
  return std::nullopt;
}

/// Takes from a ZIP64 part what did not fit in 32 bits, in the order in which it stands there.
bool complete(ZipFile::Entry& entry, const Numbers& numbers, std::uint64_t at, std::uint64_t end) {
  std::array<std::uint64_t*, 3> missing{entry.unpacked == kIn64 ? &entry.unpacked : nullptr,
                                        entry.packed == kIn64 ? &entry.packed : nullptr,
                                        entry.header == kIn64 ? &entry.header : nullptr};
  if (std::count(missing.begin(), missing.end(), nullptr) == 3) return true;
  while (at + 4 <= end) {
    const std::uint16_t kind = numbers.u16(at);
    const std::uint64_t part_end = at + 4 + numbers.u16(at + 2);
    at += 4;
    if (part_end > end) return false;
    if (kind == 1) {
      for (std::uint64_t* each : missing) {
        if (each == nullptr) continue;
        if (at + 8 > part_end) return false;
        *each = numbers.u64(at);
        at += 8;
      }
      return true;
    }
    at = part_end;
  }
  return false;
}

}  // namespace

ZipFile::ZipFile(const std::string& file) : file_(file), bytes_(map_file(file)) {
  read_directory();
}

void ZipFile::refuse(const std::string& why) const {
  throw Error(ErrorCode::kBadFile, file_ + " " + why, "Copy or save it again.");
}

void ZipFile::read_directory() {
  const Numbers numbers(bytes_.view);
  const auto end = find_end(numbers, bytes_.size());
  if (!end) refuse("is no ZIP archive, or truncated: it has no directory at its end");
  std::uint64_t count = numbers.u16(*end + 10);
  std::uint64_t size = numbers.u32(*end + 12);
  std::uint64_t at = numbers.u32(*end + 16);
  if (*end >= 20 && numbers.u32(*end - 20) == kEnd64Locator) {
    const std::uint64_t end64 = numbers.u64(*end - 12);
    if (!numbers.holds(end64, 56) || numbers.u32(end64) != kEnd64)
      refuse("is damaged: its ZIP64 record is not where it should be");
    count = numbers.u64(end64 + 32);
    size = numbers.u64(end64 + 40);
    at = numbers.u64(end64 + 48);
  }
  if (!numbers.holds(at, size) || count > size / kEntrySize)
    refuse("is damaged: its directory is not where it should be");
  const std::uint64_t directory_end = at + size;
  for (std::uint64_t i = 0; i < count; ++i) add_entry(at, directory_end);
}

void ZipFile::add_entry(std::uint64_t& at, std::uint64_t end) {
  const Numbers numbers(bytes_.view);
  if (end - at < kEntrySize || numbers.u32(at) != kDirectoryEntry) refuse("is damaged: its directory cannot be read");
  const std::uint64_t name_end = at + kEntrySize + numbers.u16(at + 28);
  const std::uint64_t extra_end = name_end + numbers.u16(at + 30);
  const std::uint64_t next = extra_end + numbers.u16(at + 32);
  if (next > end) refuse("is damaged: its directory cannot be read");
  const std::string name(bytes_.part(at + kEntrySize, name_end - at - kEntrySize).text());
  Entry entry{numbers.u16(at + 10), numbers.u32(at + 16), numbers.u32(at + 20), numbers.u32(at + 24),
              numbers.u32(at + 42)};
  if (!complete(entry, numbers, name_end, extra_end)) refuse("is damaged: the sizes of " + name + " cannot be read");
  if ((numbers.u16(at + 8) & 1) != 0) refuse("is encrypted");
  if (!entries_.emplace(name, entry).second) refuse("is damaged: it holds " + name + " twice");
  at = next;
}

Bytes ZipFile::read(const std::string& name, const Waiting& waiting) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) refuse("does not hold " + name);
  const Entry& entry = found->second;
  const Numbers numbers(bytes_.view);
  if (!numbers.holds(entry.header, kLocalSize) || numbers.u32(entry.header) != kLocalHeader) {
    refuse("is damaged: " + name + " is not where its directory says");
  }
  const std::uint64_t data =
      entry.header + kLocalSize + numbers.u16(entry.header + 26) + numbers.u16(entry.header + 28);
  if (!numbers.holds(data, entry.packed)) refuse("is truncated in " + name);
  const Bytes packed = bytes_.part(data, entry.packed);
  if (entry.method == kStored) {
    if (entry.packed != entry.unpacked) refuse("is damaged: " + name + " has two sizes");
    return packed;
  }
  if (entry.method != kDeflated) {
    refuse("packs " + name + " with ZIP method " + std::to_string(entry.method) + "; stored and deflate are read");
  }
  // Deflate makes at most 1,032 bytes of one.
  if (entry.unpacked / 1032 > entry.packed) {
    refuse("is damaged: " + name + ", of " + std::to_string(entry.packed) + " bytes, cannot unpack to " +
           std::to_string(entry.unpacked));
  }
  return unpacked(name, entry, packed, waiting);
}

Bytes ZipFile::read_checked(const std::string& name, const Waiting& waiting) const {
  constexpr std::size_t kMost = std::size_t{1} << 30;
  constexpr std::size_t kPart = std::size_t{1} << 24;
  const Bytes bytes = read(name, waiting);
  const Entry& entry = entries_.at(name);
  if (entry.method != kStored || bytes.size() > kMost) return bytes;
  uLong crc = 0;
  for (std::size_t at = 0; at < bytes.size(); at += kPart) {
    waiting.at("Checking " + std::filesystem::path(file_).filename().string() + ": " + name, at, bytes.size());
    crc = crc32_z(crc, bytes.view.data() + at, std::min(kPart, bytes.size() - at));
  }
  if (crc != entry.crc) refuse("is damaged: " + name + " does not match its checksum");
  return bytes;
}

Bytes ZipFile::unpacked(const std::string& name, const Entry& entry, const Bytes& packed,
                        const Waiting& waiting) const {
  const std::string what = std::filesystem::path(file_).filename().string() + ": " + name;
  Scratch scratch(file_ + ": " + name + ", unpacked,");
  scratch.expect(entry.unpacked);
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
  constexpr std::size_t kMostIn = std::size_t{1} << 30;
  std::vector<std::uint8_t> part(std::size_t{1} << 20);
  std::size_t in = 0;
  std::uint64_t out = 0;
  uLong crc = 0;
  int result = Z_OK;
  while (result == Z_OK && out <= entry.unpacked) {
    waiting.at("Unpacking " + what, out, entry.unpacked);
    stream.next_in = const_cast<Bytef*>(packed.view.data() + in);
    stream.avail_in = static_cast<uInt>(std::min(kMostIn, packed.size() - in));
    stream.next_out = part.data();
    stream.avail_out = static_cast<uInt>(part.size());
    const uInt in_before = stream.avail_in;
    result = inflate(&stream, Z_NO_FLUSH);
    in += in_before - stream.avail_in;
    const std::size_t made = part.size() - stream.avail_out;
    crc = crc32_z(crc, part.data(), made);
    scratch.write(part.data(), made);
    out += made;
  }
  if (result != Z_STREAM_END || out != entry.unpacked) refuse("is damaged in " + name);
  if (crc != entry.crc) refuse("is damaged: " + name + " does not match its checksum");
  return scratch.finish();
}

}  // namespace binade::train
