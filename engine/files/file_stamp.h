// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/stat.h>

#include <cstdint>

namespace binade::files {

/// Identity, size and modification time of a file. A file that is written to gets another stamp.
struct FileStamp {
  std::uint64_t device = 0, inode = 0;
  std::int64_t size = 0, seconds = 0, nanoseconds = 0;

  static FileStamp of(const struct stat& status) {
    return {status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
  }
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

}  // namespace binade::files
