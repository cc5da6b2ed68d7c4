// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace binade::files {

/// A file that appears completely or not at all. It is written under a unique temporary name in the same folder, synced
/// to disk and renamed, replacing an older file of that name. A failure leaves the older file unchanged.
class AtomicFile {
 public:
  /// Throws Error{kBadFile}, naming the file, if its folder is not writable.
  explicit AtomicFile(std::string file);
  /// Removes the temporary file unless commit() was called.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Appends data. Throws Error{kBadFile} with the system's reason, such as a full disk or a quota.
  void write(const void* data, std::size_t size);
  /// Overwrites data at `offset`; later writes still append. Throws like write().
  void write_over(std::size_t offset, const void* data, std::size_t size);
  /// Renames the file to its final name, such that it survives a power failure. Throws like write().
  void commit();

  /// The name before commit().
  const std::string& temporary() const { return temporary_; }

 private:
  [[noreturn]] void failed() const;
  /// Locks the file, so that no other process takes it for abandoned. Returns false if another process holds the lock.
  bool is_ours() const;
  std::string file_;
  std::string temporary_;
  int descriptor_ = -1;
};

/// Removes temporary files in `folder` that were left by killed processes. A process that is still writing holds a
/// lock, also across machines, and keeps its file. `ours` decides whether a file of this name (without folder) may be
/// removed.
void remove_abandoned(const std::string& folder, const std::function<bool(const std::string& name)>& ours);

}  // namespace binade::files
