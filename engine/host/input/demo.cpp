// SPDX-License-Identifier: Apache-2.0
#include "engine/host/input/demo.h"

#include "engine/formats/error.h"
#include "engine/host/process/log.h"
#include "engine/record/run_file_name.h"

#include <cstdlib>
#include <filesystem>

namespace binade::host {

wire::RunConfig demo_run() {
  wire::RunConfig run;
  run.name = "demo";
  run.model = "sample:cnn";
  run.data.kind = "idx";
  run.data.folder = "/usr/share/datasets/fashion-mnist";  // folder of Debian's package dataset-fashion-mnist
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
  run.caption =
      "Shortened for teaching: starts at 2^24, grows every 200 steps. PyTorch's own defaults are 65,536 and 2,000.";
  return run;
}

std::string new_run_file(const std::string& name) {
  namespace fs = std::filesystem;
  fs::path folder;
  // A relative path is ignored, as the XDG specification demands: it would change with the working directory.
  const auto is_folder = [](const char* value) { return value != nullptr && *value == '/'; };
  if (const char* data = std::getenv("XDG_DATA_HOME"); is_folder(data)) {
    folder = data;
  } else if (const char* home = std::getenv("HOME"); is_folder(home)) {
    folder = fs::path(home) / ".local" / "share";
  } else {
    folder = fs::current_path();
    log("warning", "neither XDG_DATA_HOME nor HOME names a folder: the run is recorded in " +
                       (folder / "binade" / "runs").string() + ", below the folder this was started in");
  }
  folder = folder / "binade" / "runs";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw Error(ErrorCode::kBadFile, "The folder for run files, " + folder.string() + ", cannot be made",
                "Set XDG_DATA_HOME to a folder that can be written, or name a run file.");
  }
  return record::new_run_file(folder, name);
}

}  // namespace binade::host
