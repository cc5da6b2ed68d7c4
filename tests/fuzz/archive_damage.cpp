// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/archive_damage.h"

#include "engine/formats/error.h"
#include "tests/graph/zip_records.h"
#include "tests/support/mutations.h"

#include <algorithm>
#include <array>
#include <random>
#include <utility>

namespace binade::fuzz {

namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t end) {
  return end == 0 ? 0 : random() % end;
}

void flip(std::string& bytes, Random& random, std::size_t count) {
  for (std::size_t i = 0; i < count && !bytes.empty(); ++i) {
    char& byte = bytes[below(random, bytes.size())];
    byte = static_cast<char>(byte ^ 1 << below(random, 8));
  }
}

/// Takes away, doubles or moves a piece of a text, or puts a piece of another kind there.
void edit(std::string& text, Random& random) {
  static const std::vector<std::string> kPieces{"(",
                                                ")",
                                                ", ",
                                                "torch.",
                                                "self",
                                                "ops.aten.",
                                                "Tensor",
                                                "None",
                                                "[0]",
                                                "-1",
                                                "9999999999",
                                                "\n",
                                                "  ",
                                                "def ",
                                                "\"",
                                                "class ",
                                                "return ",
                                                "x",
                                                "List[int]",
                                                "annotate(",
                                                "unchecked_cast(",
                                                "uninitialized(Tensor)",
                                                "CONSTANTS.c7",
                                                "__torch__.",
                                                "\\\n",
                                                "'''",
                                                "\t",
                                                ":",
                                                "=",
                                                ".",
                                                "if ",
                                                "for x in range(2):\n      ",
                                                "1e999",
                                                "lambda",
                                                "\x80"};
  const std::size_t at = below(random, text.size() + 1);
  const std::size_t size = std::min(text.size() - at, 1 + below(random, 24));
  const std::string piece = text.substr(at, size);
  switch (below(random, 5)) {
    case 0:
      text.erase(at, size);
      break;
    case 1:
      text.insert(at, piece);
      break;
    case 2:
      text.erase(at, size);
      text.insert(below(random, text.size() + 1), piece);
      break;
    case 3:
      text.insert(at, kPieces[below(random, kPieces.size())]);
      break;
    default:
      text.replace(at, size, kPieces[below(random, kPieces.size())]);
  }
}

bool is_code(const test::ZipRecord& record) {
  return record.name.ends_with(".py");
}

/// Swaps, doubles, drops, renames, shortens or lengthens a record.
void rearrange(std::vector<test::ZipRecord>& records, Random& random) {
  const std::size_t first = below(random, records.size());
  const std::size_t second = below(random, records.size());
  switch (below(random, 6)) {
    case 0:
      std::swap(records[first].bytes, records[second].bytes);
      break;
    case 1:
      records.push_back(records[first]);
      break;
    case 2:
      records.erase(records.begin() + static_cast<std::ptrdiff_t>(first));
      break;
    case 3:
      records[first].name = records[second].name + (below(random, 2) == 0 ? "x" : "");
      break;
    case 4:
      records[first].bytes.resize(below(random, records[first].bytes.size() + 1));
      break;
    default:
      records[first].bytes += records[second].bytes;
  }
}

/// Writes a number into a field of the directory: method, checksum, sizes, offset, lengths of names.
void fake_directory(std::string& bytes, Random& random) {
  static constexpr std::array<std::pair<int, int>, 9> kFields{
      {{8, 2}, {10, 2}, {16, 4}, {20, 4}, {24, 4}, {28, 2}, {30, 2}, {32, 2}, {42, 4}}};
  static constexpr std::array<std::uint64_t, 7> kNumbers{0, 1, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF, 100};
  constexpr std::size_t kEndRecord = 22;
  if (bytes.size() < kEndRecord) return flip(bytes, random, 1);
  const auto entries = test::directory_entries(bytes);
  const bool at_end = entries.empty() || below(random, 4) == 0;
  const std::size_t entry = at_end ? bytes.size() - kEndRecord : entries[below(random, entries.size())];
  const auto [offset, size] =
      at_end ? std::make_pair(8 + 2 * static_cast<int>(below(random, 7)), 2) : kFields[below(random, kFields.size())];
  const std::uint64_t number = below(random, 2) == 0 ? kNumbers[below(random, kNumbers.size())] : random();
  for (int i = 0; i < size; ++i) {
    const std::size_t at = entry + static_cast<std::size_t>(offset + i);
    if (at < bytes.size()) bytes[at] = static_cast<char>(number >> (8 * i));
  }
}

/// The entries, unpacked; none if these bytes are no archive.
std::vector<test::ZipRecord> entries_of(const std::string& bytes) {
  try {
    return test::zip_records(bytes);
  } catch (const Error&) {
    return {};
  }
}

/// Damages the archive as a whole; its checksums remain.
void damage_bytes(std::string& bytes, std::uint32_t seed, Random& random) {
  switch (seed % 8) {
    case 0:
    case 1:
      flip(bytes, random, 1);
      return;
    case 2:
      bytes.resize(below(random, bytes.size()));
      return;
    case 3:
      flip(bytes, random, 1 + below(random, 100));
      return;
    default:
      fake_directory(bytes, random);
  }
}

/// Damages one to three entries: code if `code` and there is any, or else others.
void damage_entries(std::vector<test::ZipRecord>& records, bool code, Random& random) {
  std::vector<test::ZipRecord*> chosen;
  for (test::ZipRecord& record : records) {
    if (is_code(record) == code) chosen.push_back(&record);
  }
  if (chosen.empty()) {
    for (test::ZipRecord& record : records) chosen.push_back(&record);
  }
  for (std::size_t times = 1 + below(random, 3); times > 0; --times) {
    test::ZipRecord& record = *chosen[below(random, chosen.size())];
    if (is_code(record)) {
      edit(record.bytes, random);
    } else if (below(random, 2) == 0) {
      flip(record.bytes, random, 1);
    } else {
      record.bytes = test::Mutator(static_cast<std::uint32_t>(random())).bytes(record.bytes);
    }
  }
}

}  // namespace

Mutation damaged_archive(const std::string& bytes, std::uint32_t seed) {
  Random random(seed);
  std::vector<test::ZipRecord> records;
  if (seed % 8 > 4) records = entries_of(bytes);
  if (records.empty()) {
    Mutation mutation{bytes, true};
    damage_bytes(mutation.bytes, seed, random);
    return mutation;
  }
  if (seed % 8 == 7) {
    for (std::size_t times = 1 + below(random, 3); times > 0 && !records.empty(); --times) rearrange(records, random);
  } else {
    damage_entries(records, seed % 8 == 5, random);
  }
  return {test::zip_of(records)};
}

}  // namespace binade::fuzz
