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
  std::optional<std::string> content;  ///< of a valid file
};

/// The reader's valid files, and the files of its corpus up to 64 KiB.
class Originals {
 public:
  /// Throws Fault if the reader refuses a valid file.
  explicit Originals(const Reader& reader);

  std::size_t size() const { return all_.size(); }
  /// The file that the mutation `seed` starts from: every second time a valid one.
  const Original& of(std::uint32_t seed) const { return all_[seed / 2 % choices(seed)]; }
  /// The number of the mutation among those of its file. Those of valid files come in two ranges.
  std::uint32_t number(std::uint32_t seed) const {
    return static_cast<std::uint32_t>(seed / 2 / choices(seed)) + seed % 2 * kSecondRange;
  }

 private:
  static constexpr std::uint32_t kSecondRange = 1U << 30U;

  std::size_t choices(std::uint32_t seed) const { return seed % 2 == 0 ? valid_ : all_.size(); }

  std::vector<Original> all_;  ///< valid ones first
  std::size_t valid_ = 0;
};

/// Paths of the files in tests/fuzz/corpus/<name of the reader>, in the order of their names.
std::vector<std::string> corpus_files(const Reader& reader);

/// Writes the smallest mutation of each kind of message to `folder`. The file's name is the message. Messages that
/// differ in numbers and quoted words only are one kind. Returns 0.
int collect(const Reader& reader, std::uint32_t seed, std::uint32_t mutations, const std::string& folder);

}  // namespace binade::fuzz
