// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint_folder.h"

#include "engine/files/atomic_file.h"
#include "engine/formats/error.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <compare>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

namespace binade::checkpoint {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEnding = ".safetensors";
constexpr std::string_view kStep = "step-";
constexpr std::string_view kEdit = "edit-";

bool is_edit(const std::string& file) {
  return fs::path(file).filename().string().starts_with(kEdit);
}

/// The parsed name of a checkpoint. Names order by time: the state at an edit precedes the step that follows it.
struct Name {
  std::int64_t step = 0;
  bool at_step = true;
  std::int64_t revision = 0;
  friend auto operator<=>(const Name&, const Name&) = default;
};

/// Takes a number from the front of `text`.
std::optional<std::int64_t> number(std::string_view& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// Parses a file name without folder; nullopt if it is not a checkpoint's.
std::optional<Name> parse_name(std::string_view text) {
  Name name;
  name.at_step = text.starts_with(kStep);
  if (!name.at_step && !text.starts_with(kEdit)) return std::nullopt;
  text.remove_prefix(name.at_step ? kStep.size() : kEdit.size());
  const auto step = number(text);
  if (!step) return std::nullopt;
  name.step = *step;
  if (!name.at_step) {
    if (!text.starts_with("-r")) return std::nullopt;
    text.remove_prefix(2);
    const auto revision = number(text);
    if (!revision) return std::nullopt;
    name.revision = *revision;
  }
  return text == kEnding ? std::optional(name) : std::nullopt;
}

/// Locks a folder for one run during the result's lifetime. The system releases the lock when the process ends for any
/// reason. Without support for locks, access is not restricted.
std::shared_ptr<const void> locked(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return nullptr;
  std::shared_ptr<const void> lock(nullptr, [descriptor](const void*) { ::close(descriptor); });
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return lock;
  throw Error(ErrorCode::kBadRun, "checkpoint.folder: " + folder + " is in use by another run",
              "Each run needs a separate folder for its checkpoints.")
      .at("checkpoint.folder");
}

}  // namespace

std::vector<std::string> CheckpointFolder::files_in(const std::string& folder) {
  std::vector<std::pair<Name, std::string>> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (const auto name = parse_name(entry.path().filename().string()))
      found.emplace_back(*name, entry.path().string());
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> files;
  for (auto& [name, file] : found) files.push_back(std::move(file));
  return files;
}

std::string CheckpointFolder::newest_of(const std::string& resume) {
  std::error_code error;
  if (resume.empty() || !fs::is_directory(resume, error)) return resume;
  const auto files = files_in(resume);
  if (!files.empty()) return files.back();
  throw Error(ErrorCode::kBadRun, "resume: " + resume + " contains no checkpoint",
              "Checkpoints are named step-N.safetensors. Name a checkpoint or its folder.")
      .at("resume");
}

CheckpointFolder::CheckpointFolder(const wire::CheckpointConfig& config, const std::string& resume) : config_(config) {
  if (!kept()) return;
  std::error_code error;
  fs::create_directories(config_.folder, error);
  if (!fs::is_directory(config_.folder)) {
    throw Error(ErrorCode::kBadRun,
                "checkpoint.folder: " + config_.folder + " cannot be created" + (error ? ": " + error.message() : ""),
                "Choose a folder with write permission.")
        .at("checkpoint.folder");
  }
  lock_ = locked(config_.folder);
  const auto files = files_in(config_.folder);
  const bool goes_on =
      !resume.empty() &&
      fs::equivalent(fs::path(resume).parent_path().empty() ? fs::path(".") : fs::path(resume).parent_path(),
                     config_.folder, error);
  if (!files.empty() && !goes_on) {
    throw Error(ErrorCode::kBadRun,
                "checkpoint.folder: " + config_.folder + " contains checkpoints of another run, up to " +
                    fs::path(files.back()).filename().string(),
                "Resume from one of them, or choose another folder.")
        .at("checkpoint.folder");
  }
  for (const std::string& file : files) (is_edit(file) ? edits_ : steps_).push_back(file);
  files::remove_abandoned(config_.folder, [](const std::string& name) { return parse_name(name).has_value(); });
}

std::string CheckpointFolder::newest() const {
  if (steps_.empty() || edits_.empty()) return steps_.empty() ? (edits_.empty() ? "" : edits_.back()) : steps_.back();
  const auto name = [](const std::string& file) { return parse_name(fs::path(file).filename().string()); };
  return name(steps_.back()) < name(edits_.back()) ? edits_.back() : steps_.back();
}

std::string CheckpointFolder::file_for(const std::string& reason, std::int64_t step, int revision) const {
  char name[64];
  if (reason == "edit") {
    std::snprintf(name, sizeof name, "edit-%08lld-r%d%s", static_cast<long long>(step), revision, kEnding.data());
  } else {
    std::snprintf(name, sizeof name, "step-%08lld%s", static_cast<long long>(step), kEnding.data());
  }
  return (fs::path(config_.folder) / name).string();
}

void CheckpointFolder::added(const std::string& file) {
  auto& files = is_edit(file) ? edits_ : steps_;
  std::erase(files, file);
  files.push_back(file);
  while (files.size() > static_cast<std::size_t>(config_.keep)) {
    std::error_code ignored;  // already gone, or no longer deletable
    fs::remove(files.front(), ignored);
    files.pop_front();
  }
}

}  // namespace binade::checkpoint
