// SPDX-License-Identifier: Apache-2.0
#include "engine/confine/access.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace binade::confine {

namespace {

void add_new(std::vector<std::string>& to, const std::vector<std::string>& from) {
  for (const std::string& each : from) {
    if (!each.empty() && std::find(to.begin(), to.end(), each) == to.end()) to.push_back(each);
  }
}

/// The path without links, `.` and `..`; parts that do not exist stay as they are.
std::string resolved(const std::string& path) {
  std::error_code unknown;
  const auto whole = std::filesystem::weakly_canonical(path, unknown);
  return unknown ? path : whole.string();
}

bool lies_in(std::string_view path, std::string_view folder) {
  if (folder.ends_with('/')) folder.remove_suffix(1);
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool all_lie_in(const std::vector<std::string>& paths, const std::vector<std::string>& folders) {
  return std::all_of(paths.begin(), paths.end(), [&](const std::string& path) {
    return path.empty() || std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
             return lies_in(resolved(path), resolved(folder));
           });
  });
}

}  // namespace

void add(Access& access, const Access& more) {
  add_new(access.reads, more.reads);
  add_new(access.read_folders, more.read_folders);
  add_new(access.folders, more.folders);
  add_new(access.checkpoints, more.checkpoints);
  add_new(access.outputs, more.outputs);
  access.gpu = access.gpu || more.gpu;
}

bool covers(const Access& access, const Access& asked) {
  std::vector<std::string> folders = access.read_folders;
  add_new(folders, access.folders);
  add_new(folders, access.checkpoints);
  std::vector<std::string> readable = folders;
  add_new(readable, access.reads);
  return all_lie_in(asked.reads, readable) && all_lie_in(asked.read_folders, folders) &&
         all_lie_in(asked.folders, access.folders) && all_lie_in(asked.checkpoints, access.checkpoints) &&
         (access.gpu || !asked.gpu);
}

}  // namespace binade::confine
