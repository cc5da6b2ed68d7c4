// SPDX-License-Identifier: Apache-2.0
#include "engine/confine/scratch_folder.h"
#include "engine/formats/cache_folders.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace binade::confine {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = "confined-";
constexpr std::string_view kRandom = "XXXXXX";

/// Opens a folder and takes its lock. Returns -1 if it is no folder, in use, or on a disk without locks.
int lock_folder(const fs::path& folder, int how) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0 || ::flock(descriptor, how) == 0) return descriptor;
  ::close(descriptor);
  return -1;
}

void remove_abandoned(const fs::path& cache) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(cache, none)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kBegin) || name.size() != kBegin.size() + kRandom.size()) continue;
    const int lock = lock_folder(entry.path(), LOCK_EX | LOCK_NB);
    if (lock < 0) continue;
    fs::remove_all(entry.path(), none);
    ::close(lock);
  }
}

}  // namespace

ScratchFolder::ScratchFolder() {
  std::error_code none;
  const auto make_in = [this](const fs::path& folder) {
    std::string name = (folder / kBegin).string().append(kRandom);
    if (::mkdtemp(name.data()) == nullptr) return false;
    path_ = name;
    lock_ = lock_folder(path_, LOCK_EX | LOCK_NB);
    return true;
  };
  for (const fs::path& cache : cache_folders()) {
    fs::create_directories(cache, none);
    // Held until the new folder has its own lock, so that nobody takes it for an abandoned one.
    const int making = lock_folder(cache, LOCK_EX);
    if (making >= 0) remove_abandoned(cache);
    const bool made = make_in(cache);
    if (making >= 0) ::close(making);
    if (made) return;
  }
  make_in(fs::temp_directory_path(none));
}

ScratchFolder::~ScratchFolder() {
  std::error_code none;
  if (!path_.empty()) fs::remove_all(path_, none);
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace binade::confine
