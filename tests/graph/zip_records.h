// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace binade::test {

/// An entry of an archive that a test writes. What is not set is written as it is.
struct ZipRecord {
  std::string name;
  std::string bytes;
  bool deflated = false;
};

/// The entries of an archive, unpacked, in the order in which they stand there. Throws Error for a damaged one.
std::vector<ZipRecord> zip_records(const std::string& bytes);
std::vector<ZipRecord> read_zip(const std::string& file);

/// An archive of these entries, with checksums and sizes that are right.
std::string zip_of(const std::vector<ZipRecord>& records);

std::string read_bytes(const std::string& file);
void write_bytes(const std::string& file, const std::string& bytes);

/// Where in the bytes of an archive the directory's entries begin.
std::vector<std::size_t> directory_entries(const std::string& archive);

}  // namespace binade::test
