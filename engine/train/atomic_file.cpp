// SPDX-License-Identifier: Apache-2.0
#include "engine/train/atomic_file.h"

#include "engine/formats/error.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace binade::train {

namespace {

/// Not every file system can force a folder to disk; the file itself is there by then.
void sync_folder_of(const std::string& file) {
  const std::string folder = std::filesystem::absolute(file).parent_path().string();
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  static_cast<void>(::fsync(descriptor));
  ::close(descriptor);
}

std::string temporary_name(const std::string& file) {
  static std::atomic<int> count = 0;
  return file + "." + std::to_string(::getpid()) + "-" + std::to_string(count++) + ".part";
}

}  // namespace

AtomicFile::AtomicFile(std::string file) : file_(std::move(file)), temporary_(temporary_name(file_)) {
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) failed();
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::failed() const {
  const int reason = errno;
  const bool full = reason == ENOSPC || reason == EDQUOT || reason == EFBIG;
  throw Error(ErrorCode::kBadFile, file_ + " cannot be written: " + std::strerror(reason),
              full ? "Free some space there, or choose another folder." : "Check that its folder exists and is yours.");
}

void AtomicFile::write(const void* data, std::size_t size) {
  constexpr std::size_t kPart = std::size_t{1} << 30;
  const auto* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t done = ::write(descriptor_, bytes, std::min(size, kPart));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) failed();
    bytes += done;
    size -= static_cast<std::size_t>(done);
  }
}

void AtomicFile::commit() {
  if (::fsync(descriptor_) != 0) failed();
  if (::close(std::exchange(descriptor_, -1)) != 0) failed();  // some file systems tell of a full disk only here
  if (::rename(temporary_.c_str(), file_.c_str()) != 0) failed();
  temporary_.clear();
  sync_folder_of(file_);
}

}  // namespace binade::train
