// SPDX-License-Identifier: Apache-2.0
#include "views/values/spill_file.h"

#include "views/values/unnamed_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QStandardPaths>

#include <cstdlib>

namespace binade::views {

namespace {

/// Returns a file descriptor, or -1.
int openUnnamed(const QString& folder) {
  if (!QDir().mkpath(folder)) return -1;
  const int descriptor = openUnnamedFile(QFile::encodeName(folder));
  if (descriptor >= 0) return descriptor;
  QByteArray path = QFile::encodeName(folder + QStringLiteral("/steps-XXXXXX"));
  const int named = ::mkstemp(path.data());
  if (named < 0) return -1;
  ::unlink(path.constData());
  ::fcntl(named, F_SETFD, FD_CLOEXEC);
  return named;
}

}  // namespace

SpillFile& SpillFile::shared() {
  static SpillFile file;
  return file;
}

SpillFile::SpillFile() = default;

SpillFile::~SpillFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::int64_t SpillFile::put(const void* bytes) {
  const std::lock_guard lock(mutex_);
  if (!tried_) {
    tried_ = true;
    const QString caches = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation);
    if (!caches.isEmpty()) descriptor_ = openUnnamed(caches + QStringLiteral("/binade"));
  }
  if (descriptor_ < 0) return -1;
  const std::int64_t slot = free_.empty() ? slots_ : free_.back();
  const ssize_t written = ::pwrite(descriptor_, bytes, kSlot, slot * static_cast<std::int64_t>(kSlot));
  if (written != static_cast<ssize_t>(kSlot)) return -1;
  if (free_.empty()) {
    ++slots_;
  } else {
    free_.pop_back();
  }
  return slot;
}

// Without the lock: the file was opened before the slot existed, and stays open.
bool SpillFile::get(std::int64_t slot, std::size_t offset, void* bytes, std::size_t size) const {
  const std::int64_t at = slot * static_cast<std::int64_t>(kSlot) + static_cast<std::int64_t>(offset);
  return ::pread(descriptor_, bytes, size, at) == static_cast<ssize_t>(size);
}

void SpillFile::release(std::int64_t slot) {
  const std::lock_guard lock(mutex_);
  free_.push_back(slot);
}

}  // namespace binade::views
