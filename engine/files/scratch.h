// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/bytes.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace binade::files {

/// Bytes that are written part by part and read afterwards: in memory while they are few, beyond that in a file of the
/// user's cache folder ($XDG_CACHE_HOME, ~/.cache) or, where there is none, the temporary one. The file has no name and
/// is gone with the last of its bytes, however this process ends.
class Scratch {
 public:
  static constexpr std::uint64_t kMostInMemory = std::uint64_t{1} << 26;

  /// `what` is made here, in messages: `pictures.npz, unpacked,`.
  explicit Scratch(std::string what);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Says how many bytes will come, so that a disk that is too small is known before they are made. Throws as write().
  void expect(std::uint64_t size);
  /// Throws Error{kBadFile} naming `what`, the folder and how much it takes, where the disk is full.
  void write(const void* data, std::size_t size);
  /// What was written, mapped where it is a file. Once.
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
