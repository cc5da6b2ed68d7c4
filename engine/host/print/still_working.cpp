// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/still_working.h"

#include <cstdio>
#include <utility>

namespace binade::host {

StillWorking::StillWorking(Clock::duration patience) : patience_(patience), thread_([this] { watch(); }) {}

StillWorking::~StillWorking() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void StillWorking::report(std::string task) {
  const std::lock_guard lock(mutex_);
  const bool rested = task_.empty();
  const Clock::time_point awaited = next_;
  task_ = std::move(task);
  since_ = Clock::now();
  next_ = since_ + patience_;
  // The thread wakes at the old time and then sees the later one, so that most steps need no notification.
  if (rested || next_ < awaited) changed_.notify_one();
}

void StillWorking::watch() {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    if (task_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const Clock::time_point now = Clock::now();
    if (now < next_) {
      changed_.wait_until(lock, next_);
      continue;
    }
    const Clock::duration taken = now - since_;
    std::fprintf(stderr, "info: %s has taken %.0f s so far\n", task_.c_str(),
                 std::chrono::duration<double>(taken).count());
    std::fflush(stderr);
    next_ = now + 2 * taken;
  }
}

}  // namespace binade::host
