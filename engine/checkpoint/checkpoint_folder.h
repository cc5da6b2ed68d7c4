// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace binade::checkpoint {

/// A run's checkpoint folder, which deletes the oldest checkpoints. Those of edits are counted separately, so that old
/// edits can still be undone, and so are those made for a Try, which thus take no place of the run's own.
class CheckpointFolder {
 public:
  /// Creates the folder, and removes incomplete files of killed engines. A folder that holds checkpoints is accepted
  /// only if `resume` is one of them, so that another run's are never deleted. Otherwise throws Error{kBadRun}, as for
  /// a folder that is in use by another run or cannot be created.
  CheckpointFolder(const wire::CheckpointConfig& config, const std::string& resume);

  bool kept() const { return !config_.folder.empty(); }
  const std::string& path() const { return config_.folder; }

  /// File for a checkpoint at `step`: `step-00000050.safetensors`, and for the reasons `edit` and `try`
  /// `edit-00000040-r3.safetensors` and `try-00000040-r3.safetensors`; longer from step 10^8 on.
  std::string file_for(const std::string& reason, std::int64_t step, int revision) const;

  /// The latest checkpoint; empty if there is none.
  std::string newest() const;

  /// Registers `file` and deletes the oldest files beyond the limit.
  void added(const std::string& file);

  /// Returns the checkpoints in a folder, ordered by step number. Files with other names are left out.
  static std::vector<std::string> files_in(const std::string& folder);

  /// Returns the newest checkpoint in a folder; empty if there is none.
  static std::string newest_in(const std::string& folder);

  /// Returns the checkpoint to resume from: `resume` itself, or the newest one if it is a folder. Throws Error{kBadRun}
  /// for a folder without checkpoints.
  static std::string newest_of(const std::string& resume);

 private:
  wire::CheckpointConfig config_;
  std::shared_ptr<const void> lock_;              ///< keeps other runs from using the folder
  std::array<std::deque<std::string>, 3> files_;  ///< by the kind in their name; oldest first
};

}  // namespace binade::checkpoint
