// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace binade::host {

/// Reports on standard error what a command is doing once that has taken a few seconds, then at growing intervals. A
/// first step in native float16 on a CPU can take minutes and must not look hung. Tasks of one kind, such as steps, are
/// expected to take as long as those before: later ones are reported only if they take several times as long. Has a
/// thread of its own; thread-safe.
class StillWorking {
 public:
  using Clock = std::chrono::steady_clock;

  /// `patience`: time after which a task is first reported.
  explicit StillWorking(Clock::duration patience = std::chrono::seconds(3));
  ~StillWorking();
  StillWorking(const StillWorking&) = delete;
  StillWorking& operator=(const StillWorking&) = delete;

  /// Begins a task of a kind, such as `step`, and reports it if it takes long. `which`: such as `5 of 300`, may be
  /// empty.
  void report(const std::string& kind, const std::string& which = {});
  /// Ends the task; nothing is reported until the next report().
  void rest() { report({}); }

 private:
  void watch();
  /// Learns from the duration of the task that ends. Requires the mutex.
  void end_task(Clock::time_point now);

  const Clock::duration patience_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string task_;  // empty: no task
  std::string kind_;
  std::map<std::string, Clock::duration> usual_;  // by kind; of those that have ended
  Clock::time_point since_;
  Clock::time_point next_;  // time of the next report
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace binade::host
