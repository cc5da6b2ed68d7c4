// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/bytes.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace binade::files {

/// A buffer that is written in parts and then read. Up to kMostInMemory bytes are kept in memory; larger data goes to
/// an unnamed file in the user's cache folder ($XDG_CACHE_HOME, ~/.cache), or in the temporary folder if there is none.
/// The system deletes the file with the last reference to it, however this process ends.
class Scratch {
 public:
  static constexpr std::uint64_t kMostInMemory = std::uint64_t{1} << 26;

  /// `what` names the content in messages: `pictures.npz, unpacked,`.
  explicit Scratch(std::string what);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Announces the total size, so that a disk that is too small is found before the data is computed. Throws as
  /// write().
  void expect(std::uint64_t size);
  /// Throws Error{kBadFile}, naming `what`, the folder and the size, if the disk is full.
  void write(const void* data, std::size_t size);
  /// Returns the written bytes; those in a file are mapped. May be called once.
  Bytes finish();

 private:
  void open_file();
  void to_file(const void* data, std::size_t size);
  [[noreturn]] void failed() const;

  std::string what_;
  std::uint64_t expected_ = 0;
  std::uint64_t size_ = 0;
  std::shared_ptr<std::vector<std::uint8_t>> memory_;
  int descriptor_ = -1;
  std::string folder_;
};

}  // namespace binade::files
