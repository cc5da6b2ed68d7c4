// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace binade::host {

/// The one thread that touches models. Jobs run one after another and must not throw. The destructor waits for the
/// running job and drops the queued ones.
class Worker {
 public:
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Queues a job. Thread-safe.
  void post(std::function<void()> job);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace binade::host
