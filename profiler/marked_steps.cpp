// SPDX-License-Identifier: Apache-2.0
#include "profiler/marked_steps.h"

#include <algorithm>
#include <iterator>

namespace binade::profiler {

void MarkedSteps::begin(bool marked, std::uint64_t time) {
  const std::lock_guard lock(mutex_);
  any_unmarked_ = any_unmarked_ || !marked;
  change(marked, time);
}

void MarkedSteps::end(std::uint64_t time) {
  const std::lock_guard lock(mutex_);
  change(false, time);
}

void MarkedSteps::change(bool marked, std::uint64_t time) {
  if (!changes_.empty() && changes_.back().marked == marked) return;
  changes_.push_back({time, marked});
  if (changes_.size() > kMostChanges) changes_.pop_front();
}

bool MarkedSteps::in_marked_step(std::uint64_t time) const {
  const std::lock_guard lock(mutex_);
  if (changes_.empty()) return true;
  if (time == 0) return !any_unmarked_;
  const auto after = std::partition_point(changes_.begin(), changes_.end(),
                                          [time](const Change& change) { return change.time <= time; });
  return after != changes_.begin() && std::prev(after)->marked;
}

void MarkedSteps::clear() {
  const std::lock_guard lock(mutex_);
  changes_.clear();
  any_unmarked_ = false;
}

}  // namespace binade::profiler
