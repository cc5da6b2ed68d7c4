// SPDX-License-Identifier: Apache-2.0
#include "engine/host/attach/attach_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace binade::host {

namespace {

namespace fs = std::filesystem;

/// Whether this user owns the folder. `su` and `sudo -E` leave the variables of the user before.
bool is_own(const fs::path& folder) {
  struct stat found {};
  return ::stat(folder.c_str(), &found) == 0 && found.st_uid == ::geteuid();
}

/// The best first, and the cache folder last.
std::vector<fs::path> places() {
  std::vector<fs::path> all;
  const auto add = [&all](const char* variable, const char* below) {
    const char* const value = std::getenv(variable);
    if (value != nullptr && *value == '/') all.push_back(fs::path(value) / below);
  };
  if (const char* const runtime = std::getenv("XDG_RUNTIME_DIR"); runtime != nullptr && is_own(runtime)) {
    add("XDG_RUNTIME_DIR", "binade");
  }
  add("HOME", ".cache/binade/attach");
  return all;
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorCode::kUnsafe, path + " " + why,
              "Remove it, or set XDG_RUNTIME_DIR to a folder that only you can use.");
}

}  // namespace

AttachFolder AttachFolder::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) {
    const int failed = errno;
    if (failed == ELOOP || failed == ENOTDIR) refuse(path, "is a link or a file, not a folder");
    throw Error(ErrorCode::kBadFile, path + " cannot be opened: " + std::strerror(failed));
  }
  AttachFolder folder(path, descriptor);
  struct stat found {};
  if (::fstat(descriptor, &found) != 0) refuse(path, std::string("cannot be examined: ") + std::strerror(errno));
  if (found.st_uid != ::geteuid()) refuse(path, "belongs to another user");
  if ((found.st_mode & 077) != 0) refuse(path, "is open to other users");
  return folder;
}

AttachFolder AttachFolder::make() {
  const std::vector<fs::path> all = places();
  std::string why = "neither XDG_RUNTIME_DIR nor HOME names a folder of this user";
  for (const fs::path& place : all) {
    // The session makes $XDG_RUNTIME_DIR. One that is gone belongs to a session that has ended.
    std::error_code failed;
    if (&place == &all.back()) fs::create_directories(place.parent_path(), failed);
    if (::mkdir(place.c_str(), 0700) == 0 || errno == EEXIST) return open(place.string());
    why = place.string() + ": " + std::strerror(errno);
  }
  throw Error(ErrorCode::kBadFile, "There is no folder for the training's socket: " + why,
              "Set XDG_RUNTIME_DIR to a folder that only you can use.");
}

std::vector<AttachFolder> AttachFolder::existing(const std::function<void(const Error&)>& refused) {
  std::vector<AttachFolder> folders;
  const std::vector<fs::path> all = places();
  for (const fs::path& place : all) {
    std::error_code unknown;
    if (!fs::exists(fs::symlink_status(place, unknown))) continue;
    try {
      folders.push_back(open(place.string()));
    } catch (const Error& error) {
      refused(error);
    }
  }
  return folders;
}

AttachFolder::AttachFolder(AttachFolder&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

AttachFolder& AttachFolder::operator=(AttachFolder&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

AttachFolder::~AttachFolder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::vector<std::string> AttachFolder::names(const std::string& ending) const {
  std::vector<std::string> all;
  const int copy = ::openat(descriptor_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const folder = copy < 0 ? nullptr : ::fdopendir(copy);
  if (folder == nullptr) {
    if (copy >= 0) ::close(copy);
    return all;
  }
  while (const dirent* const each = ::readdir(folder)) {
    const std::string name = each->d_name;
    if (name.starts_with('.') || !name.ends_with(ending)) continue;
    all.push_back(name.substr(0, name.size() - ending.size()));
  }
  ::closedir(folder);
  std::sort(all.begin(), all.end());
  return all;
}

int AttachFolder::open_file(const std::string& name, int flags) const {
  return ::openat(descriptor_, name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
}

void AttachFolder::remove(const std::string& name) const {
  ::unlinkat(descriptor_, name.c_str(), 0);
}

std::string AttachFolder::address(const std::string& name) const {
  return "/proc/self/fd/" + std::to_string(descriptor_) + "/" + name;
}

void AttachFolder::fail(const char* what) const {
  throw Error(ErrorCode::kBadFile, path_ + ": " + what + ": " + std::strerror(errno),
              "Set XDG_RUNTIME_DIR to a folder of this computer.");
}

}  // namespace binade::host
