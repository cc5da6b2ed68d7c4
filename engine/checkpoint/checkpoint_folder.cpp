// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint_folder.h"

#include "engine/confine/file_broker.h"
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
/// Starts of names, in the order of time at one step: a state before an edit comes before one saved for a Try, and both
/// before that of the step that follows.
constexpr std::array<std::string_view, 3> kKinds{"edit-", "try-", "step-"};
constexpr std::size_t kEdit = 0, kTry = 1, kStep = 2;

/// The parsed name of a checkpoint. Names order by time.
struct Name {
  std::int64_t step = 0;
  std::size_t kind = kStep;
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
  const auto kind = std::find_if(kKinds.begin(), kKinds.end(), [text](auto each) { return text.starts_with(each); });
  if (kind == kKinds.end()) return std::nullopt;
  name.kind = static_cast<std::size_t>(kind - kKinds.begin());
  text.remove_prefix(kind->size());
  const auto step = number(text);
  if (!step) return std::nullopt;
  name.step = *step;
  if (name.kind != kStep) {
    if (!text.starts_with("-r")) return std::nullopt;
    text.remove_prefix(2);
    const auto revision = number(text);
    if (!revision) return std::nullopt;
    name.revision = *revision;
  }
  return text == kEnding ? std::optional(name) : std::nullopt;
}

/// Returns the parts of a checkpoint's file name; default values for any other name.
Name name_of(const std::string& file) {
  return parse_name(fs::path(file).filename().string()).value_or(Name{});
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

std::string CheckpointFolder::newest_in(const std::string& folder) {
  const auto files = files_in(folder);
  return files.empty() ? std::string() : files.back();
}

std::string CheckpointFolder::newest_of(const std::string& resume) {
  std::error_code error;
  if (resume.empty() || !fs::is_directory(resume, error)) return resume;
  if (const std::string newest = newest_in(resume); !newest.empty()) return newest;
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
  for (const std::string& file : files) files_[name_of(file).kind].push_back(file);
  files::remove_abandoned(config_.folder, [](const std::string& name) { return parse_name(name).has_value(); });
}

std::string CheckpointFolder::newest() const {
  std::string newest;
  for (const std::deque<std::string>& kind : files_) {
    if (!kind.empty() && (newest.empty() || name_of(newest) < name_of(kind.back()))) newest = kind.back();
  }
  return newest;
}

std::string CheckpointFolder::file_for(const std::string& reason, std::int64_t step, int revision) const {
  const std::size_t kind = reason == "edit" ? kEdit : reason == "try" ? kTry : kStep;
  char name[64];
  if (kind == kStep) {
    std::snprintf(name, sizeof name, "step-%08lld%s", static_cast<long long>(step), kEnding.data());
  } else {
    std::snprintf(name, sizeof name, "%s%08lld-r%d%s", kKinds[kind].data(), static_cast<long long>(step), revision,
                  kEnding.data());
  }
  return (fs::path(config_.folder) / name).string();
}

void CheckpointFolder::added(const std::string& file) {
  std::deque<std::string>& files = files_[name_of(file).kind];
  std::erase(files, file);
  files.push_back(file);
  while (files.size() > static_cast<std::size_t>(config_.keep)) {
    confine::unlink_file(files.front().c_str());  // fails if it is already gone, or no longer deletable
    files.pop_front();
  }
}

}  // namespace binade::checkpoint
