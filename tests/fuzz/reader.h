// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace binade::fuzz {

/// A damaged file.
struct Mutation {
  std::string bytes;
  /// Whether the checksums in the file are those of the file before: the reader must then refuse it, or find the same
  /// content.
  bool old_checksums = false;
};

/// A reader of files of strangers, and how its files are damaged.
struct Reader {
  std::string name;    ///< also the name of its folder in tests/fuzz/corpus
  std::string ending;  ///< of its files
  std::string named;   ///< what each of its messages must contain; empty for bytes that are no file
  /// Contents of files that the reader accepts, of the current version of the format.
  std::vector<std::string> (*valid)();
  /// Reads to the last number. Returns the content as text, so that two contents can be compared. Throws Error for a
  /// file that it refuses, Fault if the reader breaks a promise.
  std::string (*read)(const std::string& bytes);
  /// Damages the bytes of a file. Equal arguments give equal mutations on every machine.
  Mutation (*mutate)(const std::string& bytes, std::uint32_t seed);
};

/// A promise that the reader broke. Under libFuzzer, nobody catches it, so that it ends the process like a crash.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Outcome {
  bool accepted = false;
  std::string text;  ///< the content, or the message
};

/// Reads these bytes. Throws Fault for any exception but Error, for an Error that is a bug of Binade, and for a message
/// that does not name the file.
Outcome outcome_of(const Reader& reader, const std::string& bytes);

/// The entry point of a reader for libFuzzer: outcome_of(), always 0.
int one(const Reader& reader, const std::uint8_t* data, std::size_t size);

/// Mutations for formats without structure: one to three edits of bytes.
Mutation damaged_bytes(const std::string& bytes, std::uint32_t seed);
/// For JSON: the same, or another value, field or element in valid JSON.
Mutation damaged_json(const std::string& bytes, std::uint32_t seed);

}  // namespace binade::fuzz
