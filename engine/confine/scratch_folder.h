// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::confine {

/// A new folder for the temporary files of one confined process: in the user's cache, or in the temporary folder. Not
/// the temporary folder first: on many systems that is memory. Its lock tells others that it is in use; folders of the
/// cache without a user, as after SIGKILL, are removed when the next is made.
class ScratchFolder {
 public:
  /// There is none if no such folder can be written: path() is then empty.
  ScratchFolder();
  /// Removes it.
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int lock_ = -1;
};

}  // namespace binade::confine
