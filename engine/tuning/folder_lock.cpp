// SPDX-License-Identifier: Apache-2.0
#include "engine/tuning/folder_lock.h"

#include "engine/formats/error.h"
#include "engine/formats/file_refusal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace binade::tuning {

FolderLock::FolderLock(const std::string& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0) {
    const FileRefusal why = file_refusal(folder, errno, FileUse::kRead, "Choose another folder with --out.");
    throw Error(ErrorCode::kBadFile, folder + " cannot be opened as a folder: " + why.reason, why.hint);
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
