// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace binade::host {

/// Reports on standard error what a command is doing once that has taken a few seconds, then at growing intervals. A
/// first step in native float16 on a CPU can take minutes and must not look hung. Has a thread of its own; thread-safe.
class StillWorking {
 public:
  using Clock = std::chrono::steady_clock;

  /// `patience`: time after which a task is first reported.
  explicit StillWorking(Clock::duration patience = std::chrono::seconds(3));
  ~StillWorking();
  StillWorking(const StillWorking&) = delete;
  StillWorking& operator=(const StillWorking&) = delete;

  /// Begins a task, such as `step 0`, and reports it if it takes long.
  void report(std::string task);
  /// Ends the task; nothing is reported until the next report().
  void rest() { report({}); }

 private:
  void watch();

  const Clock::duration patience_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string task_;  // empty: no task
  Clock::time_point since_;
  Clock::time_point next_;  // time of the next report
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace binade::host
