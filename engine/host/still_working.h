// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace binade::host {

/// Says on standard error what a command is at, once that has taken a few seconds and then ever more seldom: a first
/// step in native float16 on a CPU takes minutes, and must not look hung. Has a thread of its own; any thread may call.
class StillWorking {
 public:
  using Clock = std::chrono::steady_clock;

  /// `patience`: how long a task may take before it is told of.
  explicit StillWorking(Clock::duration patience = std::chrono::seconds(3));
  ~StillWorking();
  StillWorking(const StillWorking&) = delete;
  StillWorking& operator=(const StillWorking&) = delete;

  /// Another task begins: `step 0`.
  void at(std::string task);
  /// Nothing is being done that anybody waits for.
  void rest() { at({}); }

 private:
  void watch();

  const Clock::duration patience_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string task_;  // empty: rest
  Clock::time_point since_;
  Clock::time_point next_;  // when the task is told of
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace binade::host
