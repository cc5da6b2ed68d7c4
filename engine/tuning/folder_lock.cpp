// SPDX-License-Identifier: Apache-2.0
#include "engine/tuning/folder_lock.h"

#include "engine/formats/error.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace binade::tuning {

FolderLock::FolderLock(const std::string& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0) {
    throw Error(ErrorCode::kBadFile, folder + " cannot be opened as a folder: " + std::strerror(errno),
                "Choose another folder with --out.");
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(descriptor_);
    throw Error(ErrorCode::kUsage, "Another search is running in " + folder,
                "Wait for it, end it, or choose another folder with --out.");
  }
}

FolderLock::~FolderLock() {
  ::close(descriptor_);
}

}  // namespace binade::tuning
