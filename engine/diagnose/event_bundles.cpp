// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/event_bundles.h"

#include "engine/checkpoint/checkpoint.h"
#include "engine/graph/failure.h"

#include <exception>
#include <filesystem>

namespace binade::diagnose {

std::string EventBundles::file_for(const std::string& run_file, std::int64_t step) {
  const std::filesystem::path run(run_file);
  return (run.parent_path() / (run.stem().string() + ".step-" + std::to_string(step) + ".safetensors")).string();
}

std::string EventBundles::keep(Replay& replay, std::int64_t step) {
  if (run_file_.empty() || kept_ >= kMostBundles || bytes_ >= kMostBytes) return {};
  train::Training& training = replay.training();
  const std::int64_t here = training.data->cursor();
  const std::string file = file_for(run_file_, step);
  std::string kept;
  try {
    training.data->seek(replay.cursor());
    const wire::CheckpointInfo saved = checkpoint::save_checkpoint(training, step, "event", file);
    ++kept_;
    bytes_ += saved.bytes;
    kept = std::filesystem::path(file).filename().string();
  } catch (const std::exception& error) {
    kept_ = kMostBundles;  // do not try a full disk again
    failure_ = graph::reason_of(error);
  }
  training.data->seek(here);
  return kept;
}

}  // namespace binade::diagnose
