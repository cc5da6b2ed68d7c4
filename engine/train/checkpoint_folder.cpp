// SPDX-License-Identifier: Apache-2.0
#include "engine/train/checkpoint_folder.h"

#include "engine/formats/error.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace binade::train {

namespace fs = std::filesystem;

namespace {

constexpr const char* kEnding = ".safetensors";

bool is_edit(const std::string& file) {
  return fs::path(file).filename().string().starts_with("edit-");
}

/// The number in the file's name, its step.
std::string step_in(const std::string& file) {
  const std::string name = fs::path(file).filename().string();
  return name.substr(name.find('-') + 1);
}

}  // namespace

std::vector<std::string> CheckpointFolder::files_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(kEnding)) continue;
    if (name.starts_with("step-") || name.starts_with("edit-")) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end(),
            [](const std::string& a, const std::string& b) { return step_in(a) < step_in(b); });
  return files;
}

CheckpointFolder::CheckpointFolder(const wire::CheckpointConfig& config, const std::string& resume) : config_(config) {
  if (!kept()) return;
  std::error_code error;
  fs::create_directories(config_.folder, error);
  if (!fs::is_directory(config_.folder)) {
    throw Error(ErrorCode::kBadRun,
                "checkpoint.folder: " + config_.folder + " cannot be made" + (error ? ": " + error.message() : ""),
                "Choose a folder that can be written to.");
  }
  const auto files = files_in(config_.folder);
  const bool goes_on =
      !resume.empty() &&
      fs::equivalent(fs::path(resume).parent_path().empty() ? fs::path(".") : fs::path(resume).parent_path(),
                     config_.folder, error);
  if (!files.empty() && !goes_on) {
    throw Error(ErrorCode::kBadRun,
                "checkpoint.folder: " + config_.folder + " holds checkpoints of another run, up to " +
                    fs::path(files.back()).filename().string(),
                "Resume from one of them, or choose another folder.");
  }
  for (const std::string& file : files) (is_edit(file) ? edits_ : steps_).push_back(file);
}

std::string CheckpointFolder::file_for(const std::string& reason, std::int64_t step, int revision) const {
  char name[64];
  if (reason == "edit") {
    std::snprintf(name, sizeof name, "edit-%08lld-r%d%s", static_cast<long long>(step), revision, kEnding);
  } else {
    std::snprintf(name, sizeof name, "step-%08lld%s", static_cast<long long>(step), kEnding);
  }
  return (fs::path(config_.folder) / name).string();
}

void CheckpointFolder::added(const std::string& file) {
  auto& files = is_edit(file) ? edits_ : steps_;
  std::erase(files, file);
  files.push_back(file);
  while (files.size() > static_cast<std::size_t>(config_.keep)) {
    std::error_code ignored;  // gone already, or not ours to delete any more
    fs::remove(files.front(), ignored);
    files.pop_front();
  }
}

}  // namespace binade::train
