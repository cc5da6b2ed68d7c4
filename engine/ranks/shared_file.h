// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/ranks/group.h"

#include <string>

namespace binade::ranks {

/// A file of rank 0 that every rank reads, such as a checkpoint, which the other computers need not have.
class SharedFile {
 public:
  /// Gives every rank the bytes of rank 0's file. `file` counts on rank 0 only; empty: there is none. Throws
  /// Error{kBadFile} if it cannot be read or kept in memory.
  SharedFile(Group& group, const std::string& file);
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  /// Where this rank reads the file, as long as the object lives; on rank 0 the file itself. Empty: there is none.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int memory_ = -1;  ///< descriptor of the copy
};

}  // namespace binade::ranks
