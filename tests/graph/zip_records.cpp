// SPDX-License-Identifier: Apache-2.0
#include "tests/graph/zip_records.h"

#include "engine/zip/directory.h"
#include "engine/zip/unpack.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <utility>

namespace binade::test {

namespace {

void put(std::string& to, std::uint64_t number, int size) {
  for (int i = 0; i < size; ++i) to += static_cast<char>(i < 8 ? number >> (8 * i) : 0);
}

std::span<const std::uint8_t> view(const std::string& bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

std::string deflated(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.erase(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace

std::string read_bytes(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_bytes(const std::string& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::vector<ZipRecord> zip_records(const std::string& bytes) {
  const std::string file = "an archive";
  const zip::ReadAt read = [&](std::uint64_t offset, std::span<std::uint8_t> into) {
    std::memcpy(into.data(), bytes.data() + offset, into.size());
  };
  const zip::Directory directory = zip::read_directory(file, bytes.size(), read);
  std::vector<std::pair<std::uint64_t, ZipRecord>> records;
  for (const auto& [name, entry] : directory.entries) {
    const std::string packed = bytes.substr(zip::data_offset(file, name, entry, read), entry.packed);
    std::string whole(entry.unpacked, '\0');
    if (entry.method == zip::kStored) {
      whole = packed;
    } else if (!zip::inflate_into(view(packed), {reinterpret_cast<std::uint8_t*>(whole.data()), whole.size()})) {
      return {};
    }
    records.push_back({entry.header, {name, whole, entry.method == zip::kDeflated}});
  }
  std::sort(records.begin(), records.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ZipRecord> ordered;
  for (auto& [place, record] : records) ordered.push_back(std::move(record));
  return ordered;
}

std::vector<ZipRecord> read_zip(const std::string& file) {
  return zip_records(read_bytes(file));
}

std::string zip_of(const std::vector<ZipRecord>& records) {
  std::string archive;
  std::string directory;
  for (const ZipRecord& record : records) {
    const std::string packed = record.deflated ? deflated(record.bytes) : record.bytes;
    std::string common;  // what stands in both headers: version, flags, method, time, checksum, sizes, name's size
    put(common, 20, 2);
    put(common, 0, 2);
    put(common, record.deflated ? zip::kDeflated : zip::kStored, 2);
    put(common, 0, 4);
    put(common, zip::checksum(view(record.bytes)), 4);
    put(common, packed.size(), 4);
    put(common, record.bytes.size(), 4);
    put(common, record.name.size(), 2);
    put(common, 0, 2);
    put(directory, 0x02014b50, 4);
    put(directory, 20, 2);
    directory += common;
    put(directory, 0, 10);
    put(directory, archive.size(), 4);
    directory += record.name;
    put(archive, 0x04034b50, 4);
    archive += common + record.name + packed;
  }
  const std::size_t at = archive.size();
  archive += directory;
  put(archive, 0x06054b50, 4);
  put(archive, 0, 4);
  put(archive, records.size(), 2);
  put(archive, records.size(), 2);
  put(archive, directory.size(), 4);
  put(archive, at, 4);
  put(archive, 0, 2);
  return archive;
}

std::vector<std::size_t> directory_entries(const std::string& archive) {
  std::vector<std::size_t> found;
  for (std::size_t at = 0; (at = archive.find("PK\x01\x02", at)) != std::string::npos; at += 4) found.push_back(at);
  return found;
}

}  // namespace binade::test
