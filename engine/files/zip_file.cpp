// SPDX-License-Identifier: Apache-2.0
#include "engine/files/zip_file.h"

#include "engine/files/scratch.h"
#include "engine/formats/error.h"
#include "engine/zip/unpack.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <new>
#include <vector>

namespace binade::files {

ZipFile::ZipFile(const std::string& file) : file_(file), bytes_(map_file(file)) {
  directory_ = zip::read_directory(file_, bytes_.size(), reader());
}

zip::ReadAt ZipFile::reader() const {
  return [this](std::uint64_t offset, std::span<std::uint8_t> into) {
    std::memcpy(into.data(), bytes_.view.data() + offset, into.size());
  };
}

void ZipFile::refuse(const std::string& why) const {
  zip::refuse(file_, why);
}

const zip::Entry& ZipFile::entry_of(const std::string& name) const {
  const auto found = directory_.entries.find(name);
  if (found == directory_.entries.end()) refuse("does not contain " + name);
  return found->second;
}

Bytes ZipFile::read(const std::string& name, const Progress& progress) const {
  check(name, progress);
  return read_unchecked(name, progress);
}

Bytes ZipFile::read_unchecked(const std::string& name, const Progress& progress) const {
  const zip::Entry& entry = entry_of(name);
  const Bytes packed = bytes_.part(zip::data_offset(file_, name, entry, reader()), entry.packed);
  return entry.method == zip::kDeflated ? unpacked(name, entry, packed, progress) : packed;
}

void ZipFile::check(const std::string& name, const Progress& progress) const {
  const zip::Entry& entry = entry_of(name);
  if (!directory_.checksums || entry.method != zip::kStored) return;  // unpacked() checks the others
  constexpr std::size_t kPart = std::size_t{1} << 24;
  const Bytes bytes = read_unchecked(name, progress);
  const std::string what = "Checking " + std::filesystem::path(file_).filename().string() + ": " + name;
  std::uint32_t crc = 0;
  for (std::size_t at = 0; at < bytes.size(); at += kPart) {
    progress.report(what, at, bytes.size());
    crc = zip::checksum(bytes.view.subspan(at, std::min(kPart, bytes.size() - at)), crc);
  }
  if (crc != entry.crc) refuse("is damaged: " + name + " does not match its checksum");
}

Bytes ZipFile::unpacked(const std::string& name, const zip::Entry& entry, const Bytes& packed,
                        const Progress& progress) const {
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
  std::uint32_t crc = 0;
  int result = Z_OK;
  while (result == Z_OK && out <= entry.unpacked) {
    progress.report("Unpacking " + what, out, entry.unpacked);
    stream.next_in = const_cast<Bytef*>(packed.view.data() + in);
    stream.avail_in = static_cast<uInt>(std::min(kMostIn, packed.size() - in));
    stream.next_out = part.data();
    stream.avail_out = static_cast<uInt>(part.size());
    const uInt in_before = stream.avail_in;
    result = inflate(&stream, Z_NO_FLUSH);
    in += in_before - stream.avail_in;
    const std::size_t made = part.size() - stream.avail_out;
    crc = zip::checksum({part.data(), made}, crc);
    scratch.write(part.data(), made);
    out += made;
  }
  if (result != Z_STREAM_END || out != entry.unpacked) refuse("is damaged in " + name);
  if (directory_.checksums && crc != entry.crc) refuse("is damaged: " + name + " does not match its checksum");
  return scratch.finish();
}

}  // namespace binade::files
