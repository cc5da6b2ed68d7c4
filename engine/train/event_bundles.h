// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/replay.h"

#include <cstdint>
#include <string>

namespace binade::train {

/// Keeps the state before a step that was not finite, beside the run file, so that the step can be replayed later: a
/// checkpoint `RUN.step-N.safetensors`. The first few of a run, and not more than a limit of bytes.
class EventBundles {
 public:
  static constexpr int kMost = 8;
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

  /// `run_file` may be empty: then none is kept.
  explicit EventBundles(std::string run_file) : run_file_(std::move(run_file)) {}

  /// Writes the state, which is as when step `step` began; returns the file's name without folders, or nothing where
  /// none is kept. A disk that fails costs the bundle only.
  std::string keep(Replay& replay, std::int64_t step);

  /// The file of a step, beside a run file.
  static std::string file_for(const std::string& run_file, std::int64_t step);

 private:
  std::string run_file_;
  int kept_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace binade::train
