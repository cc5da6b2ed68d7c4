// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>

namespace binade::profiler {

/// Records when steps with marked launches ran. Thread-safe.
class MarkedSteps {
 public:
  /// Starts a step at `time`; `marked`: whether its op calls are marked.
  void begin(bool marked, std::uint64_t time);
  void end(std::uint64_t time);

  /// Returns whether a launch at `time` belongs to a marked step. If `time` is 0 (unknown): true unless an unmarked
  /// step was recorded. True if no step was recorded at all.
  bool in_marked_step(std::uint64_t time) const;

  void clear();

 private:
  struct Change {
    std::uint64_t time;
    bool marked;
  };
  static constexpr std::size_t kMostChanges = 8192;  ///< kernel records arrive within seconds

  /// Requires the mutex.
  void change(bool marked, std::uint64_t time);

  mutable std::mutex mutex_;
  std::deque<Change> changes_;
  bool any_unmarked_ = false;
};

}  // namespace binade::profiler
