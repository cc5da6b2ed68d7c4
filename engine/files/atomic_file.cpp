// SPDX-License-Identifier: Apache-2.0
#include "engine/files/atomic_file.h"

#include "engine/confine/file_broker.h"
#include "engine/files/write_all.h"
#include "engine/formats/error.h"
#include "engine/formats/file_refusal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <utility>

namespace binade::files {

namespace {

/// Errors are ignored: not every file system can sync a folder, and the file itself has been synced.
void sync_folder_of(const std::string& file) {
  const std::string folder = std::filesystem::absolute(file).parent_path().string();
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  static_cast<void>(::fsync(descriptor));
  ::close(descriptor);
}

constexpr std::string_view kEnding = ".part";

std::string temporary_name(const std::string& file) {
  static std::atomic<int> count = 0;
  return file + "." + std::to_string(::getpid()) + "-" + std::to_string(count++) + std::string(kEnding);
}

/// Returns the final name of a temporary file; empty for other files.
std::string final_name(const std::string& temporary) {
  if (!temporary.ends_with(kEnding)) return {};
  const std::string name = temporary.substr(0, temporary.size() - kEnding.size());
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {};
  const std::string who = name.substr(dot + 1);
  const std::size_t dash = who.find('-');
  const auto digits = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (dash == std::string::npos || !digits(std::string_view(who).substr(0, dash)) ||
      !digits(std::string_view(who).substr(dash + 1))) {
    return {};
  }
  return name.substr(0, dot);
}

}  // namespace

AtomicFile::AtomicFile(std::string file) : file_(std::move(file)) {
  constexpr int kTries = 1000;
  for (int i = 0; i < kTries && descriptor_ < 0; ++i) {
    std::string name = temporary_name(file_);
    // Requires a new file: another writer's file is not shared, and symbolic links are not followed.
    descriptor_ = confine::open_file(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno == EEXIST) continue;
    if (descriptor_ < 0) failed();
    temporary_ = std::move(name);
    if (!is_ours()) {
      ::close(std::exchange(descriptor_, -1));
      temporary_.clear();
      errno = EEXIST;
    }
  }
  if (descriptor_ < 0) failed();
}

bool AtomicFile::is_ours() const {
  // The system releases the lock when this process ends for any reason. Without support for locks, no file is ever
  // taken for abandoned.
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  // Another process may have removed it as abandoned before it was locked.
  struct stat status {};
  return ::fstat(descriptor_, &status) == 0 && status.st_nlink > 0;
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) confine::unlink_file(temporary_.c_str());
}

void AtomicFile::failed() const {
  const int reason = errno;
  const bool full = reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
  const FileRefusal why = file_refusal(file_, reason, FileUse::kWrite,
                                       full ? "Free some space there, or choose another folder."
                                            : "Check that its folder exists and has write permission.");
  throw Error(ErrorCode::kBadFile, file_ + " cannot be written: " + why.reason, why.hint);
}

void AtomicFile::write(const void* data, std::size_t size) {
  if (write_all(descriptor_, data, size) < size) failed();
}

void AtomicFile::write_over(std::size_t offset, const void* data, std::size_t size) {
  const auto* const bytes = static_cast<const char*>(data);
  for (std::size_t done = 0; done < size;) {
    const ssize_t part = ::pwrite(descriptor_, bytes + done, size - done, static_cast<off_t>(offset + done));
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) failed();
    done += static_cast<std::size_t>(part);
  }
}

void AtomicFile::commit() {
  if (::fsync(descriptor_) != 0) failed();
  if (::close(std::exchange(descriptor_, -1)) != 0) failed();  // some file systems report a full disk only here
  if (confine::rename_file(temporary_.c_str(), file_.c_str()) != 0) failed();
  temporary_.clear();
  sync_folder_of(file_);
}

void remove_abandoned(const std::string& folder, const std::function<bool(const std::string& name)>& ours) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = final_name(entry.path().filename().string());
    if (name.empty() || !ours(name) || !entry.is_regular_file(error) || entry.is_symlink(error)) continue;
    const int descriptor = confine::open_file(entry.path().c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) continue;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) confine::unlink_file(entry.path().c_str());
    ::close(descriptor);
  }
}

}  // namespace binade::files
