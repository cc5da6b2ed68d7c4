// SPDX-License-Identifier: Apache-2.0
#include "engine/zip/directory.h"

#include "engine/formats/error.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, sections 4.3 and 4.5.3 (ZIP64).

namespace binade::zip {

namespace {

constexpr std::uint32_t kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50;
constexpr std::uint32_t kEnd64Locator = 0x07064b50;
constexpr std::uint32_t kDirectoryEntry = 0x02014b50;
constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint64_t kEndSize = 22;
constexpr std::uint64_t kEnd64Size = 56;
constexpr std::uint64_t kLocatorSize = 20;
constexpr std::uint64_t kEntrySize = 46;
constexpr std::uint64_t kLocalSize = 30;
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;   // the value is in the ZIP64 part
constexpr std::uint64_t kDeflateMost = 1032;  // largest ratio of unpacked to packed bytes in deflate

/// Part of an archive, read into memory.
class Part {
 public:
  Part(const ReadAt& read, std::uint64_t offset, std::uint64_t size) : offset_(offset), bytes_(size) {
    if (size > 0) read(offset, bytes_);
  }

  std::uint64_t offset() const { return offset_; }
  std::uint64_t size() const { return bytes_.size(); }
  bool holds(std::uint64_t at, std::uint64_t size) const { return at <= bytes_.size() && size <= bytes_.size() - at; }

  /// Little-endian numbers at offset `at` of the part.
  std::uint16_t u16(std::uint64_t at) const { return get<std::uint16_t>(at); }
  std::uint32_t u32(std::uint64_t at) const { return get<std::uint32_t>(at); }
  std::uint64_t u64(std::uint64_t at) const { return get<std::uint64_t>(at); }
  std::string text(std::uint64_t at, std::uint64_t size) const {
    return {bytes_.begin() + static_cast<std::ptrdiff_t>(at), bytes_.begin() + static_cast<std::ptrdiff_t>(at + size)};
  }

 private:
  template <class T>
  T get(std::uint64_t at) const {
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) value = static_cast<T>(value | T{bytes_[at + i]} << (8 * i));
    return value;
  }

  std::uint64_t offset_;
  std::vector<std::uint8_t> bytes_;
};

/// Offset of the end record: the last one whose comment extends exactly to the end.
std::optional<std::uint64_t> find_end(const Part& tail) {
  if (tail.size() < kEndSize) return std::nullopt;
  for (std::uint64_t at = tail.size() - kEndSize + 1; at-- > 0;) {
    if (tail.u32(at) == kEnd && at + kEndSize + tail.u16(at + 20) == tail.size()) return at;
  }
  return std::nullopt;
}

/// Position of the directory.
struct Place {
  std::uint64_t count = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
};

Place find_directory(const std::string& file, std::uint64_t size, const ReadAt& read) {
  const std::uint64_t most = std::min<std::uint64_t>(size, kEndSize + 0xFFFF + kLocatorSize);
  const Part tail(read, size - most, most);
  const auto end = find_end(tail);
  if (!end) {
    const Part head(read, 0, std::min<std::uint64_t>(size, 2));
    const bool archive = head.size() == 2 && head.text(0, 2) == "PK";
    refuse(file, std::string(archive ? "is damaged or truncated" : "is not a ZIP archive") +
                     ": it has no directory at its end");
  }
  Place place{tail.u16(*end + 10), tail.u32(*end + 12), tail.u32(*end + 16)};
  std::uint64_t directory_end = tail.offset() + *end;
  if (*end >= kLocatorSize && tail.u32(*end - kLocatorSize) == kEnd64Locator) {
    const std::uint64_t at = tail.u64(*end - 12);
    if (at > size || size - at < kEnd64Size) refuse(file, "is damaged: its ZIP64 record is misplaced");
    const Part end64(read, at, kEnd64Size);
    if (end64.u32(0) != kEnd64) refuse(file, "is damaged: its ZIP64 record is misplaced");
    place = {end64.u64(32), end64.u64(40), end64.u64(48)};
    directory_end = at;
  }
  if (place.offset > directory_end || place.size > directory_end - place.offset ||
      place.count > place.size / kEntrySize) {
    refuse(file, "is damaged: its directory is misplaced");
  }
  return place;
}

/// Reads values that do not fit in 32 bits from a ZIP64 part, in the specified order.
bool complete(Entry& entry, const Part& directory, std::uint64_t at, std::uint64_t end) {
  std::array<std::uint64_t*, 3> missing{entry.unpacked == kIn64 ? &entry.unpacked : nullptr,
                                        entry.packed == kIn64 ? &entry.packed : nullptr,
                                        entry.header == kIn64 ? &entry.header : nullptr};
  if (std::count(missing.begin(), missing.end(), nullptr) == 3) return true;
  while (at + 4 <= end) {
    const std::uint16_t kind = directory.u16(at);
    const std::uint64_t part_end = at + 4 + directory.u16(at + 2);
    at += 4;
    if (part_end > end) return false;
    if (kind == 1) {
      for (std::uint64_t* each : missing) {
        if (each == nullptr) continue;
        if (at + 8 > part_end) return false;
        *each = directory.u64(at);
        at += 8;
      }
      return true;
    }
    at = part_end;
  }
  return false;
}

void check_sizes(const std::string& file, const std::string& name, const Entry& entry) {
  if (entry.method == kStored) {
    if (entry.packed != entry.unpacked) refuse(file, "is damaged: " + name + " has two sizes");
    return;
  }
  if (entry.method != kDeflated) {
    refuse(file,
           "packs " + name + " with ZIP method " + std::to_string(entry.method) + "; stored and deflate are read");
  }
  if (entry.unpacked / kDeflateMost > entry.packed) {
    refuse(file, "is damaged: " + name + ", of " + std::to_string(entry.packed) + " bytes, cannot unpack to " +
                     std::to_string(entry.unpacked));
  }
}

/// Reads the entry at `at` and advances `at` past it.
void add_entry(const std::string& file, const Part& directory, std::uint64_t& at, Directory& into) {
  if (!directory.holds(at, kEntrySize) || directory.u32(at) != kDirectoryEntry) {
    refuse(file, "is damaged: its directory cannot be read");
  }
  const std::uint64_t name_end = at + kEntrySize + directory.u16(at + 28);
  const std::uint64_t extra_end = name_end + directory.u16(at + 30);
  const std::uint64_t next = extra_end + directory.u16(at + 32);
  if (next > directory.size()) refuse(file, "is damaged: its directory cannot be read");
  const std::string name = directory.text(at + kEntrySize, name_end - at - kEntrySize);
  Entry entry{directory.u16(at + 10), directory.u32(at + 16), directory.u32(at + 20),
              directory.u32(at + 24), directory.u32(at + 42), 0};
  if (!complete(entry, directory, name_end, extra_end)) {
    refuse(file, "is damaged: the sizes of " + name + " cannot be read");
  }
  if ((directory.u16(at + 8) & 1) != 0) refuse(file, "is encrypted");
  check_sizes(file, name, entry);
  if (!into.entries.emplace(name, entry).second) refuse(file, "is damaged: it contains " + name + " twice");
  into.checksums = into.checksums || entry.crc != 0;
  at = next;
}

/// Sets each entry's end to the start of the next one.
void set_ends(const std::string& file, std::uint64_t directory, std::map<std::string, Entry>& entries) {
  std::vector<std::pair<const std::string*, Entry*>> by_place;
  by_place.reserve(entries.size());
  for (auto& [name, entry] : entries) by_place.emplace_back(&name, &entry);
  std::sort(by_place.begin(), by_place.end(),
            [](const auto& a, const auto& b) { return a.second->header < b.second->header; });
  for (std::size_t i = 0; i < by_place.size(); ++i) {
    const auto& [name, entry] = by_place[i];
    entry->end = i + 1 < by_place.size() ? by_place[i + 1].second->header : directory;
    if (entry->header > entry->end || entry->end - entry->header < kLocalSize + name->size() ||
        entry->packed > entry->end - entry->header - kLocalSize - name->size()) {
      refuse(file, "is damaged: " + *name + " does not fit at the place in its directory");
    }
  }
}

}  // namespace

void refuse(const std::string& file, const std::string& why, const std::string& hint) {
  std::string shown = why;
  for (char& each : shown) {
    if (static_cast<unsigned char>(each) < ' ' || each == '\x7f') each = '?';  // names come from the file
  }
  throw Error(ErrorCode::kBadFile, file + " " + shown, hint);
}

Directory read_directory(const std::string& file, std::uint64_t size, const ReadAt& read) {
  const Place place = find_directory(file, size, read);
  const Part bytes(read, place.offset, place.size);
  Directory directory;
  std::uint64_t at = 0;
  for (std::uint64_t i = 0; i < place.count; ++i) add_entry(file, bytes, at, directory);
  if (at != bytes.size()) refuse(file, "is damaged: its directory is longer than its entries");
  set_ends(file, place.offset, directory.entries);
  return directory;
}

std::uint64_t data_offset(const std::string& file, const std::string& name, const Entry& entry, const ReadAt& read) {
  const Part header(read, entry.header, kLocalSize + name.size());  // set_ends() has checked that it is inside the file
  if (header.u32(0) != kLocalHeader || header.u16(26) != name.size() || header.text(kLocalSize, name.size()) != name) {
    refuse(file, "is damaged: " + name + " is not at the place in its directory");
  }
  const std::uint64_t data = entry.header + kLocalSize + name.size() + header.u16(28);
  if (data > entry.end || entry.packed > entry.end - data) refuse(file, "is truncated in " + name);
  return data;
}

}  // namespace binade::zip
