// SPDX-License-Identifier: Apache-2.0
#include "engine/host/input/run_access.h"

#include "engine/confine/file_names.h"
#include "engine/formats/error.h"
#include "engine/wire/data_files.h"

#include <filesystem>
#include <system_error>

namespace binade::host {

namespace {

namespace fs = std::filesystem;

bool is_of_checkpoints(const fs::directory_entry& entry) {
  std::error_code unknown;
  return entry.is_regular_file(unknown) && !entry.is_symlink(unknown) &&
         confine::is_checkpoint_name(entry.path().filename().string());
}

bool holds_checkpoints_only(const std::string& folder) {
  std::error_code unknown;
  for (const auto& entry : fs::directory_iterator(folder, unknown)) {
    if (!is_of_checkpoints(entry)) return false;
  }
  return true;
}

/// An engine creates the run file and what SQLite keeps beside it. A stranger's could have a name that a shell runs.
void check_run_file(const std::string& run_file) {
  if (run_file.empty() || fs::path(run_file).extension() == ".binade") return;
  throw Error(ErrorCode::kUnsafe,
              "run_file: " + run_file + " does not end in .binade, so that an engine may not make it",
              "Name a file such as run.binade.")
      .at("run_file");
}

/// A folder that a description names is opened as a whole, or written to. A stranger's could be the user's home.
void check_folder(const std::string& folder, const std::string& field) {
  std::error_code unknown;
  if (!fs::is_directory(folder, unknown) || holds_checkpoints_only(folder)) return;
  throw Error(ErrorCode::kUnsafe,
              field + ": " + folder + " holds other files than checkpoints, so that an engine may not use it",
              "Name a folder for checkpoints alone, or one that does not exist yet.")
      .at(field);
}

}  // namespace

bool has_gpu_devices() {
  std::error_code unknown;
  return fs::exists("/dev/nvidiactl", unknown);
}

confine::Access model_access(const std::string& model) {
  confine::Access access;
  if (!model.starts_with("sample:")) access.reads.push_back(model);
  access.gpu = has_gpu_devices();
  return access;
}

confine::Access checkpoint_access(const std::string& checkpoint) {
  confine::Access access;
  if (checkpoint.empty()) return access;
  const fs::path folder = fs::absolute(checkpoint).parent_path();
  access.reads.push_back(checkpoint);
  if (holds_checkpoints_only(folder.string())) access.read_folders.push_back(folder.string());
  return access;
}

confine::Access checkpoints_access(const std::string& named, const std::string& field) {
  check_folder(named, field);
  std::error_code unknown;
  if (fs::is_directory(named, unknown)) return {.read_folders = {named}};
  return {.reads = {named}};
}

void check_outputs(const wire::RunConfig& config) {
  check_folder(config.checkpoint.folder, "checkpoint.folder");
  check_run_file(config.run_file);
}

confine::Access run_access(const wire::RunConfig& config) {
  check_outputs(config);
  confine::Access access = model_access(config.model);
  confine::Access more{.reads = wire::data_files(config.data), .checkpoints = {config.checkpoint.folder}};
  more.reads.push_back(config.weights);
  // A file that exists is never recorded in, so an engine needs no right to it.
  std::error_code unknown;
  if (!fs::exists(config.run_file, unknown)) more.outputs.push_back(config.run_file);
  confine::add(access, more);
  confine::add(access, checkpoints_access(config.resume, "resume"));
  return access;
}

}  // namespace binade::host
