// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/input_file.h"

#include "engine/formats/error.h"
#include "engine/formats/file_refusal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

namespace binade {

namespace {

constexpr int kPatienceMilliseconds = 10'000;
constexpr std::size_t kMostFromPipe = std::size_t{16} << 20;

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
  throw Error(ErrorCode::kBadFile, what, hint);
}

[[noreturn]] void refuse_loop(const std::string& file) {
  refuse(file + " has too many symbolic links: a link may refer to itself",
         "Check the links with ls -l, and name the target file.");
}

/// One that opens without waiting for anybody, since this process has it open: no name in a folder, but a descriptor.
bool is_own_pipe(const std::string& file, const struct stat& status) {
  if (!S_ISFIFO(status.st_mode)) return false;
  return file == "/dev/stdin" || file.starts_with("/dev/fd/") || file.starts_with("/proc/self/fd/");
}

void check(const std::string& file, const struct stat& status) {
  if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) return;
  refuse(file + " is not a regular file", "Copy its content to a regular file, and name that file.");
}

/// Waits for the next bytes of a pipe.
void wait_for(const std::string& file, int descriptor) {
  pollfd asked{descriptor, POLLIN, 0};
  int found = 0;
  do {
    found = ::poll(&asked, 1, kPatienceMilliseconds);
  } while (found < 0 && errno == EINTR);
  if (found == 0) {
    refuse(file + " returned no data for ten seconds and did not end",
           "Copy its content to a regular file, and name that file.");
  }
}

}  // namespace

void check_input_file(const std::string& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) == 0) return check(file, status);
  if (errno == ELOOP) refuse_loop(file);
}

std::string hint_on_start(const std::string& file) {
  std::error_code unknown;
  const auto folder = std::filesystem::current_path(unknown);
  if (unknown || !std::filesystem::path(file).is_relative()) return {};
  return " A relative path starts at the working folder, " + folder.string() + ".";
}

void refuse_missing_file(const std::string& file) {
  refuse(file + " does not exist", "Check the path." + hint_on_start(file));
}

void refuse_if_missing(const std::string& file) {
  std::error_code ignored;
  const auto found = std::filesystem::status(file, ignored).type();
  if (found == std::filesystem::file_type::not_found) refuse_missing_file(file);
}

std::string read_input_text(const std::string& file) {
  struct stat status {};
  // Asked before it is opened: opening a device may already do something. O_NONBLOCK, should it change in between.
  const bool own_pipe = ::stat(file.c_str(), &status) == 0 && is_own_pipe(file, status);
  if (!own_pipe) check_input_file(file);
  const std::unique_ptr<const int, void (*)(const int*)> descriptor(
      new int(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)), [](const int* each) {
        if (*each >= 0) ::close(*each);
        delete each;
      });
  if (*descriptor < 0 && (errno == ENOENT || errno == ENOTDIR)) refuse_missing_file(file);
  if (*descriptor < 0 || ::fstat(*descriptor, &status) != 0) {
    const FileRefusal why = file_refusal(
        file, errno, FileUse::kRead, errno == EACCES ? "Check the read permission." : "Check the path and its disk.");
    refuse(file + " cannot be read: " + why.reason, why.hint);
  }
  if (S_ISDIR(status.st_mode)) refuse(file + " is a folder, not a file", "Name a file in this folder.");
  if (!own_pipe) check(file, status);
  std::string text;
  char bytes[1 << 16];
  for (;;) {
    const ssize_t got = ::read(*descriptor, bytes, sizeof bytes);
    if (got == 0) return text;
    if (got > 0) {
      text.append(bytes, static_cast<std::size_t>(got));
      if (own_pipe && text.size() > kMostFromPipe) {
        refuse(file + " has more than 16 MiB", "Copy its content to a regular file, and name that file.");
      }
    } else if (errno == EAGAIN) {
      wait_for(file, *descriptor);
    } else if (errno != EINTR) {
      refuse(file + " cannot be read: " + std::strerror(errno), "Check the path and its disk.");
    }
  }
}

}  // namespace binade
