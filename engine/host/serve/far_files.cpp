// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/far_files.h"

#include "engine/formats/error.h"
#include "engine/formats/printable.h"
#include "engine/host/serve/params.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

namespace binade::host {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kAtOnce{50};
constexpr std::size_t kMostNames = 1'000'000;  // of a folder: more are not even read

std::string home_folder() {
  const char* const home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) : std::string("/");
}

/// As a person types it: `~/runs`, or relative to the home folder, since nobody chose the engine's working folder.
fs::path whole_path(const std::string& path) {
  const fs::path home = home_folder();
  if (path.empty() || path == "~") return home;
  if (path.starts_with("~/")) return (home / path.substr(2)).lexically_normal();
  return (home / path).lexically_normal();
}

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
using Folder = std::unique_ptr<DIR, CloseFolder>;

[[noreturn]] void refuse_folder(const fs::path& path, int code) {
  throw Error(
      ErrorCode::kBadFile, formats::printable(path.string()) + " cannot be listed: " + std::strerror(code),
      code == EACCES ? "The engine's user has no permission. Choose another folder." : "Choose a folder that exists.");
}

/// Nothing for what vanished, or is neither a file nor a folder: opening a pipe or a device could wait for ever.
bool describe(DIR* folder, wire::FolderEntry& entry) {
  struct stat found {};
  if (::fstatat(::dirfd(folder), entry.name.c_str(), &found, 0) != 0) return false;
  entry.folder = S_ISDIR(found.st_mode);
  if (!entry.folder && !S_ISREG(found.st_mode)) return false;
  entry.bytes = entry.folder ? 0 : static_cast<std::int64_t>(found.st_size);
  entry.modified = std::max<std::int64_t>(0, static_cast<std::int64_t>(found.st_mtime));
  entry.readable = ::faccessat(::dirfd(folder), entry.name.c_str(), entry.folder ? R_OK | X_OK : R_OK, AT_EACCESS) == 0;
  return true;
}

std::vector<std::string> names_in(DIR* folder, bool hidden) {
  std::vector<std::string> names;
  while (const dirent* const each = ::readdir(folder)) {
    const std::string name = each->d_name;
    if (name == "." || name == ".." || (!hidden && name.starts_with('.'))) continue;
    names.push_back(name);
    if (names.size() == kMostNames) break;
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

wire::FolderList list_folder(const wire::ListFolder& asked) {
  fs::path path = whole_path(asked.path);
  Folder folder(::opendir(path.c_str()));
  if (!folder && errno == ENOTDIR) {  // a file was named
    path = path.parent_path();
    folder.reset(::opendir(path.c_str()));
  }
  if (!folder) refuse_folder(path, errno);
  wire::FolderList list;
  if (!path.has_filename() && path.has_relative_path()) path = path.parent_path();  // `/runs/` is `/runs`
  list.path = path.string();
  list.parent = path.has_relative_path() ? path.parent_path().string() : std::string();
  list.home = home_folder();
  const std::vector<std::string> names = names_in(folder.get(), asked.hidden);
  for (const std::string& name : names) {
    wire::FolderEntry entry{.name = name};
    if (!describe(folder.get(), entry)) continue;
    if (static_cast<std::int64_t>(list.entries.size()) < wire::kMostFolderEntries) {
      list.entries.push_back(std::move(entry));
    } else {
      ++list.left_out;
    }
  }
  std::stable_partition(list.entries.begin(), list.entries.end(), [](const auto& each) { return each.folder; });
  return list;
}

bool FarFiles::knows(const std::string& method) {
  return method == "folder.list" || method == "file.read";
}

nlohmann::json FarFiles::answer(const wire::Request& request) {
  if (request.method == "folder.list") return wire::encode(list_folder(params<wire::ListFolder>(request)));
  return wire::encode(read(params<wire::ReadFile>(request)));
}

wire::FilePart FarFiles::read(const wire::ReadFile& asked) {
  if (asked.offset < 0 || asked.bytes < 0) {
    throw Error(ErrorCode::kUsage, "file.read: offset and bytes are 0 or more");
  }
  if (asked.copy.empty()) {
    const std::string file = whole_path(asked.file).string();
    if (!only_.empty() && file != whole_path(only_).string()) {
      throw Error(ErrorCode::kUsage, "This training gives its own run file only: " + only_,
                  "Connect to an engine that is served there to open another run file.");
    }
    copy_.reset();  // before the next takes room on the disk
    copy_ = std::make_unique<record::RunFileCopy>(file);
    file_ = asked.file;
    ++copies_;
  } else if (!copy_ || asked.copy != std::to_string(copies_) || asked.file != file_) {
    throw Error(ErrorCode::kUsage, "file.read: there is no such copy of " + formats::printable(asked.file),
                "Begin again with an empty `copy`.");
  }
  wire::FilePart part{.copy = std::to_string(copies_), .offset = asked.offset};
  part.ready = copy_->advance(kAtOnce);
  part.prepared = copy_->prepared();
  if (!part.ready) return part;
  part.size = copy_->size();
  part.data.value = copy_->read(asked.offset, std::min(asked.bytes, wire::kLargestFilePart));
  return part;
}

}  // namespace binade::host
