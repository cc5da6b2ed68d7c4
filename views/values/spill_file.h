// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace binade::views {

/// Fixed-size slots in an unnamed file in the user's cache folder, which hold the older parts of growing lists
/// (LongList). The temporary folder is not used, since it is in memory on many systems. The file disappears with the
/// process. If it cannot be created or the disk is full, put() fails and lists stay in memory. Thread-safe: a run file
/// is read on another thread than the lists of the present run.
class SpillFile {
 public:
  static constexpr std::size_t kSlot = 32768;  ///< bytes

  /// The instance of this process.
  static SpillFile& shared();

  SpillFile();
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  /// Writes kSlot bytes. Returns the slot's number, or -1 on failure.
  std::int64_t put(const void* bytes);
  /// Reads part of a slot. Returns false if the disk fails.
  bool get(std::int64_t slot, std::size_t offset, void* bytes, std::size_t size) const;
  /// Frees the slot for reuse.
  void release(std::int64_t slot);

 private:
  std::mutex mutex_;
  int descriptor_ = -1;
  bool tried_ = false;
  std::int64_t slots_ = 0;
  std::vector<std::int64_t> free_;
};

}  // namespace binade::views
