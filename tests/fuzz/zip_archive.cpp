// SPDX-License-Identifier: Apache-2.0
#include "engine/zip/directory.h"
#include "engine/zip/unpack.h"
#include "tests/fuzz/archive_damage.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/plain_readers.h"
#include "tests/support/places.h"

#include <cstring>
#include <span>

namespace binade::fuzz {

namespace {

const std::string kArchive = "input.zip";

std::span<const std::uint8_t> span_of(const std::string& bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

/// Unpacks every entry and compares it with its checksum, as the readers of archives do.
std::string read_archive(const std::string& bytes) {
  const zip::ReadAt read = [&](std::uint64_t offset, std::span<std::uint8_t> into) {
    if (offset > bytes.size() || into.size() > bytes.size() - offset) throw Fault("bytes beyond the file are read");
    std::memcpy(into.data(), bytes.data() + offset, into.size());
  };
  const zip::Directory directory = zip::read_directory(kArchive, bytes.size(), read);
  std::string content;
  for (const auto& [name, entry] : directory.entries) {
    const std::uint64_t offset = zip::data_offset(kArchive, name, entry, read);
    if (offset > bytes.size() || entry.packed > bytes.size() - offset) throw Fault(name + " is not in the file");
    const std::string packed = bytes.substr(offset, entry.packed);
    std::string whole = packed;
    if (entry.method == zip::kDeflated) {
      whole.assign(entry.unpacked, '\0');
      if (!zip::inflate_into(span_of(packed), {reinterpret_cast<std::uint8_t*>(whole.data()), whole.size()})) {
        zip::refuse(kArchive, "is damaged in " + name);
      }
    }
    if (zip::checksum(span_of(whole)) != entry.crc) zip::refuse(kArchive, "is damaged: checksum of " + name);
    content += name + '\0' + whole + '\0';
  }
  return content;
}

std::vector<std::string> valid_archives() {
  std::vector<std::string> all = read_folder(BINADE_TEST_DATA "/arrays", ".npz");
  for (const char* name : {"/arrays/tensor.pt", "/models/untrainable.pt"}) {
    all.push_back(read_file(std::string(BINADE_TEST_DATA) + name));
  }
  return all;
}

}  // namespace

const Reader& zip_reader() {
  static const Reader reader{"zip", ".zip", kArchive, valid_archives, read_archive, damaged_archive};
  return reader;
}

int one_zip(const std::uint8_t* data, std::size_t size) {
  return one(zip_reader(), data, size);
}

}  // namespace binade::fuzz
