// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/replay.h"

#include <cstdint>
#include <string>
#include <utility>

namespace binade::diagnose {

/// Saves the state before a step that was not finite next to the run file, as a checkpoint `RUN.step-N.safetensors`, so
/// that the step can be replayed later. Only the first few of a run, up to a total size.
class EventBundles {
 public:
  static constexpr int kMostBundles = 8;
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

  /// `run_file` may be empty: then nothing is saved.
  explicit EventBundles(std::string run_file) : run_file_(std::move(run_file)) {}

  /// Saves the state, which must be that at the start of step `step`. Returns the file's name without folder, or an
  /// empty string if nothing was saved. An error, as of a full disk, loses this bundle and those of later steps.
  std::string keep(Replay& replay, std::int64_t step);
  /// Returns once why saving failed; empty if it has not.
  std::string take_failure() { return std::exchange(failure_, {}); }

  /// The file for a step, next to a run file.
  static std::string file_for(const std::string& run_file, std::int64_t step);

 private:
  std::string run_file_;
  std::string failure_;
  int kept_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace binade::diagnose
