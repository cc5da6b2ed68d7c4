// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>

namespace binade::profiler {

/// When the steps of a training ran that mark what they launch. Any thread.
class MarkedSteps {
 public:
  /// A step begins at `time`, with its op calls marked or not.
  void begin(bool marked, std::uint64_t time);
  void end(std::uint64_t time);

  /// Whether what was launched at `time` was launched in a step that marks; 0: when is not known, and then unless there
  /// were steps that do not. Where no step was told of, everything counts as such.
  bool in_marked_step(std::uint64_t time) const;

  void clear();

 private:
  struct Change {
    std::uint64_t time;
    bool marked;
  };
  static constexpr std::size_t kMost = 8192;  ///< records of kernels come within seconds

  /// Under the mutex.
  void change(bool marked, std::uint64_t time);

  mutable std::mutex mutex_;
  std::deque<Change> changes_;
  bool any_unmarked_ = false;
};

}  // namespace binade::profiler
