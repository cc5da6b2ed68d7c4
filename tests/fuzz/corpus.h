// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fuzz/reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::fuzz {

/// A file that mutations start from.
struct Original {
  std::string bytes;
  std::optional<std::string> content;  ///< if the reader accepts it
};

/// Paths of the files in tests/fuzz/corpus/<name of the reader>, in the order of their names.
std::vector<std::string> corpus_files(const Reader& reader);

/// The reader's valid files and those of its corpus, up to 64 KiB. Throws Fault if the reader refuses a valid one.
std::vector<Original> read_originals(const Reader& reader);

/// Writes the smallest mutation of each kind of message to `folder`. The file's name is the message. Messages that
/// differ in numbers and quoted words only are one kind. Returns 0.
int collect(const Reader& reader, std::uint32_t seed, std::uint32_t mutations, const std::string& folder);

}  // namespace binade::fuzz
