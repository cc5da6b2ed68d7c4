// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/still_working.h"

#include "engine/words/numbers.h"

#include <algorithm>
#include <cstdio>

namespace binade::host {

namespace {

constexpr int kMuchLonger = 4;  // times the usual duration

double seconds_of(StillWorking::Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

StillWorking::StillWorking(Clock::duration patience) : patience_(patience), thread_([this] { watch(); }) {}

StillWorking::~StillWorking() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void StillWorking::report(const std::string& kind, const std::string& which) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  const bool rested = task_.empty();
  const Clock::time_point awaited = next_;
  if (!rested) end_task(now);
  kind_ = kind;
  task_ = which.empty() ? kind : kind + " " + which;
  since_ = now;
  const auto known = usual_.find(kind);
  next_ = since_ + (known == usual_.end() ? patience_ : std::max(patience_, kMuchLonger * known->second));
  // The thread wakes at the old time and then sees the later one, so that most steps need no notification.
  if (rested || next_ < awaited) changed_.notify_one();
}

// The newest count most: a first step often takes far longer than those that follow.
void StillWorking::end_task(Clock::time_point now) {
  const Clock::duration taken = now - since_;
  const auto [known, is_first] = usual_.try_emplace(kind_, taken);
  if (!is_first) known->second = (known->second + taken) / 2;
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
    const auto known = usual_.find(kind_);
    const std::string usual = known == usual_.end() ? "" : ", usually " + words::duration(seconds_of(known->second));
    std::fprintf(stderr, "info: %s has taken %.0f s so far%s\n", task_.c_str(), seconds_of(taken), usual.c_str());
    std::fflush(stderr);
    next_ = now + 2 * taken;
  }
}

}  // namespace binade::host
