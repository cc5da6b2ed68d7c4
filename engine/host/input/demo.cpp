// SPDX-License-Identifier: Apache-2.0
#include "engine/host/input/demo.h"

#include "engine/formats/error.h"
#include "engine/host/process/log.h"
#include "engine/host/process/program_folder.h"
#include "engine/record/run_file_name.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace binade::host {

namespace {

namespace fs = std::filesystem;

/// The folder of Debian's package dataset-fashion-mnist, or else of the data that a self-contained package brings.
std::string fashion_folder() {
  const fs::path system = "/usr/share/datasets/fashion-mnist";
  std::error_code failed;
  const fs::path bundled = (program_folder(failed) / "../share/binade/datasets/fashion-mnist").lexically_normal();
  return (fs::is_directory(system, failed) || !fs::is_directory(bundled, failed) ? system : bundled).string();
}

}  // namespace

wire::RunConfig demo_run() {
  wire::RunConfig run;
  run.name = "demo";
  run.model = "sample:cnn";
  run.data.kind = "idx";
  run.data.folder = fashion_folder();
  run.data.mean = 0.2860;
  run.data.deviation = 0.3530;
  run.data.inputs = {};
  run.optimizer.kind = "sgd";
  run.optimizer.learning_rate = 0.02;
  run.optimizer.momentum = 0.9;
  run.scaler.init_scale = 16777216;  // 2^24
  run.scaler.growth_interval = 200;
  run.policy.name = "demo";
  run.policy.base = policy::Base::kCudaAmp;
  run.policy.low = formats::kFloat16;
  run.batch = 64;
  run.steps = 1876;  // two epochs
  run.evaluate_every = 469;
  run.observe.every = 4;
  run.profile.level = "times";
  run.profile.every = 5;  // mostly other steps than the observed ones: each costs time of its own
  run.caption = "Shortened for teaching: starts at 2^24, grows every 200 steps. PyTorch: 65,536 and 2,000.";
  return run;
}

namespace {

struct RunFolder {
  fs::path path;
  bool said = true;  ///< by a variable
};

RunFolder run_folder() {
  // A relative one names nothing: it would be another folder for each folder that one works in.
  const auto is_folder = [](const char* value) { return value != nullptr && *value == '/'; };
  const auto below = [](const fs::path& data) { return data / "binade" / "runs"; };
  if (const char* data = std::getenv("XDG_DATA_HOME"); is_folder(data)) return {below(data)};
  if (const char* home = std::getenv("HOME"); is_folder(home)) return {below(fs::path(home) / ".local" / "share")};
  return {below(fs::current_path()), false};
}

}  // namespace

std::string new_run_file(const std::string& name) {
  return record::new_run_file(run_folder().path, name);
}

void make_run_folder(const std::string& run_file) {
  const RunFolder folder = run_folder();
  if (fs::path(run_file).parent_path() != folder.path) return;
  std::error_code error;
  fs::create_directories(folder.path, error);
  if (error) {
    throw Error(ErrorCode::kBadFile,
                "The folder for run files, " + folder.path.string() + ", cannot be created: " + error.message(),
                "Set XDG_DATA_HOME to a folder with write permission, or name a run file.");
  }
  if (folder.said) return;
  log("warning", "neither XDG_DATA_HOME nor HOME names a folder: the run is recorded in " + folder.path.string() +
                     ", in the current folder");
}

}  // namespace binade::host
