// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace binade::record {

/// A consistent copy of a run file, which a training may be writing: the state at the time of the first advance(). It
/// is made in parts by SQLite's backup, into an unnamed file in the cache folder, and removed with this object. Used on
/// one thread.
class RunFileCopy {
 public:
  /// Throws Error{kBadFile} if the file is missing or not a run file.
  explicit RunFileCopy(const std::string& path);
  ~RunFileCopy();
  RunFileCopy(const RunFileCopy&) = delete;
  RunFileCopy& operator=(const RunFileCopy&) = delete;

  /// Continues for about this long. Returns whether the copy is complete. Throws Error{kBadFile} if the file is damaged
  /// or the disk is full.
  bool advance(std::chrono::milliseconds duration);
  /// Share that is made, 0..1.
  double prepared() const;

  /// Bytes of the copy, once it is complete.
  std::int64_t size() const;
  /// At most `bytes` bytes from `offset` on; fewer at the end. Throws Error{kBadFile} if they cannot be read.
  std::string read(std::int64_t offset, std::int64_t bytes) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace binade::record
