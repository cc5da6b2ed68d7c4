// SPDX-License-Identifier: Apache-2.0
#include "engine/files/mapped_file.h"

#include "engine/confine/file_broker.h"
#include "engine/formats/error.h"
#include "engine/formats/file_refusal.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace binade::files {

namespace {

/// Addresses of a map, for the handler of a signal: it may neither lock nor allocate.
struct Range {
  std::atomic<std::uintptr_t> begin = 0;  ///< 0: free
  std::atomic<std::uintptr_t> end = 0;
  std::atomic<bool> lost = false;  ///< a part was asked for that is not there
};

/// Is only ever added to, and never freed.
struct Ranges {
  std::array<Range, 64> ranges;
  std::atomic<Ranges*> next = nullptr;
};

Ranges first_ranges;
struct sigaction handler_before;
std::uintptr_t page_size = 4096;

/// Who is mapped, for check_mapped().
std::mutex& files_mutex() {
  static std::mutex mutex;
  return mutex;
}
std::vector<const MappedFile*>& mapped_files() {
  static std::vector<const MappedFile*> files;
  return files;
}

/// Under files_mutex().
Range* watch(std::uintptr_t begin, std::uintptr_t end) {
  for (Ranges* part = &first_ranges;; part = part->next) {
    for (Range& range : part->ranges) {
      if (range.begin != 0) continue;
      range.lost = false;
      range.end = end;
      range.begin = begin;
      return &range;
    }
    if (part->next == nullptr) part->next = new Ranges;
  }
}

Range* range_at(std::uintptr_t address) {
  for (Ranges* part = &first_ranges; part != nullptr; part = part->next) {
    for (Range& range : part->ranges) {
      const std::uintptr_t begin = range.begin;
      if (begin != 0 && address >= begin && address < range.end) return &range;
    }
  }
  return nullptr;
}

/// Puts zeros in the place of what is missing, and lets the instruction run again.
bool filled(const siginfo_t* info) {
  if (info->si_code != BUS_ADRERR) return false;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  Range* const range = range_at(address);
  if (range == nullptr) return false;
  const std::uintptr_t page = address & ~(page_size - 1);
  range->lost = true;
  // The system call itself: sanitizers wrap the function, and none of it is allowed here.
  const long made = ::syscall(SYS_mmap, page, range->end - page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  return made == static_cast<long>(page);
}

/// As the system would have called the handler before: one that resets itself is called once.
void hand_on(int signal, siginfo_t* info, void* context) {
  const bool with_info = (handler_before.sa_flags & SA_SIGINFO) != 0;
  // Both kinds of handler lie at one place in memory, and neither flag says which it is.
  const bool none = handler_before.sa_handler == SIG_DFL || handler_before.sa_handler == SIG_IGN;
  if (none || (handler_before.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) ::signal(signal, SIG_DFL);
  if (none) {
    ::raise(signal);  // delivered on return; one that another process sent would not come again by itself
  } else if (with_info) {
    handler_before.sa_sigaction(signal, info, context);
  } else {
    handler_before.sa_handler(signal);
  }
}

void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  if (filled(info)) {
    errno = error;
    return;
  }
  hand_on(signal, info, context);
  errno = error;
}

constexpr const char* kHint =
    "Binade reads the file during the run. Use a complete copy that no program changes, and resume from the last "
    "checkpoint if there is one.";

[[noreturn]] void cannot_open(const std::string& file) {
  const int reason = errno;
  if (reason == ENOENT || reason == ENOTDIR) {
    throw Error(ErrorCode::kBadFile, file + " does not exist",
                "Check the path. A relative path starts at the folder of the run description.");
  }
  const FileRefusal why = file_refusal(
      file, reason, FileUse::kRead, reason == EACCES ? "Check the read permission." : "Check the path and its disk.");
  throw Error(ErrorCode::kBadFile, file + " cannot be read: " + why.reason, why.hint);
}

FileStamp checked_stamp(int descriptor, const std::string& file) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) cannot_open(file);
  if (S_ISDIR(status.st_mode)) {
    throw Error(ErrorCode::kBadFile, file + " is a folder, not a file", "Name a file in this folder.");
  }
  if (!S_ISREG(status.st_mode)) {
    throw Error(ErrorCode::kBadFile, file + " is not a regular file",
                "Copy its content to a regular file, and name that file.");
  }
  return FileStamp::of(status);
}

}  // namespace

MappedFile::MappedFile(std::string file) : file_(std::move(file)) {
  // Without O_NONBLOCK a named pipe would wait for a writer.
  descriptor_ = confine::open_file(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) cannot_open(file_);
  try {
    stamp_ = checked_stamp(descriptor_, file_);
    size_ = static_cast<std::size_t>(stamp_.size);
    if (size_ > 0) {
      // Private and writable, so that an in-place operator on such a tensor does not end the process.
      at_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, descriptor_, 0);
      if (at_ == MAP_FAILED) cannot_open(file_);
    }
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(at_);
  const std::lock_guard lock(files_mutex());
  if (size_ > 0) watched_ = watch(begin, begin + (size_ + page_size - 1) / page_size * page_size);
  mapped_files().push_back(this);
}

MappedFile::~MappedFile() {
  {
    const std::lock_guard lock(files_mutex());
    std::erase(mapped_files(), this);
    if (watched_ != nullptr) static_cast<Range*>(watched_)->begin = 0;
  }
  if (size_ > 0) ::munmap(at_, size_);
  ::close(descriptor_);
}

void MappedFile::check() const {
  const bool lost = watched_ != nullptr && static_cast<const Range*>(watched_)->lost;
  const FileStamp now = checked_stamp(descriptor_, file_);
  if (!lost && now == stamp_) return;
  const auto refuse = [this](const std::string& why) { throw Error(ErrorCode::kBadFile, file_ + " " + why, kHint); };
  if (now.size < stamp_.size) {
    refuse("was truncated while it was in use: " + std::to_string(now.size) + " of " + std::to_string(stamp_.size) +
           " bytes are left");
  }
  if (now != stamp_) refuse("was changed while it was in use");
  refuse("became unreadable while it was in use: its disk or network share failed");
}

void check_mapped(std::span<const std::string> files) {
  const std::lock_guard lock(files_mutex());
  for (const MappedFile* mapped : mapped_files()) {
    if (std::find(files.begin(), files.end(), mapped->file()) != files.end()) mapped->check();
  }
}

void check_mapped(const std::string& file) {
  check_mapped({&file, 1});
}

void guard_mapped_files() {
  static std::once_flag once;
  std::call_once(once, [] {
    page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &handler_before);
  });
}

}  // namespace binade::files
