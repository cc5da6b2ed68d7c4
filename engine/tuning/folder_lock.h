// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::tuning {

/// Keeps other processes from searching in a folder. The lock ends with this object or with the process, however that
/// ends.
class FolderLock {
 public:
  /// Throws Error{kUsage} if another process holds the lock, Error{kBadFile} if the folder cannot be opened. Folders on
  /// file systems without locks are not locked.
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace binade::tuning
