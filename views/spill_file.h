// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace binade::views {

/// Slots of one size in a file without a name in the user's cache folder: where lists that grow for as long as a run
/// goes on keep their older parts (LongList). The temporary folder would not do: on many systems it is memory.
/// Gone with the process. Where no file can be made, or the disk is full, nothing is taken and lists stay in memory.
/// One thread.
class SpillFile {
 public:
  static constexpr std::size_t kSlot = 32768;  ///< bytes

  /// The one of this process; of the GUI thread.
  static SpillFile& shared();

  SpillFile();
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  /// Writes kSlot bytes; the slot's number, or -1 where they cannot be written.
  std::int64_t put(const void* bytes);
  /// Reads part of a slot that was put; false where the disk fails.
  bool get(std::int64_t slot, std::size_t offset, void* bytes, std::size_t size) const;
  /// The slot may be written anew.
  void release(std::int64_t slot);

 private:
  int descriptor_ = -1;
  bool tried_ = false;
  std::int64_t slots_ = 0;
  std::vector<std::int64_t> free_;
};

}  // namespace binade::views
