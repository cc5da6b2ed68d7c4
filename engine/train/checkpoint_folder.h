// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace binade::train {

/// Where a run keeps its checkpoints, and which of them go when there are too many. Those at edits are counted for
/// themselves, so that an edit can be undone however long ago it was.
class CheckpointFolder {
 public:
  /// Makes the folder, and removes what engines that were killed left half-written in it. One that holds checkpoints is
  /// taken only to go on from one of them (`resume`), so that no other run's are deleted: throws Error{kBadRun} else,
  /// where another run has it, and where it cannot be made.
  CheckpointFolder(const wire::CheckpointConfig& config, const std::string& resume);

  bool kept() const { return !config_.folder.empty(); }
  const std::string& path() const { return config_.folder; }

  /// The name of one at `step`: `step-00000050.safetensors`, `edit-00000040-r3.safetensors`; longer from step 10^8 on.
  std::string file_for(const std::string& reason, std::int64_t step, int revision) const;

  /// The latest that is there; empty where none is.
  std::string newest() const;

  /// `file` is there now; the oldest beyond those to keep is deleted.
  void added(const std::string& file);

  /// The checkpoints in a folder, by step as a number. Files of other names are left out.
  static std::vector<std::string> files_in(const std::string& folder);

  /// What to go on from: `resume` itself, or the newest in it where it is a folder. Throws Error{kBadRun} where a
  /// folder holds none.
  static std::string newest_of(const std::string& resume);

 private:
  wire::CheckpointConfig config_;
  std::shared_ptr<const void> lock_;       ///< no other run takes the folder meanwhile
  std::deque<std::string> steps_, edits_;  ///< oldest first
};

}  // namespace binade::train
