// SPDX-License-Identifier: Apache-2.0
#include "engine/train/schedule.h"

#include <cmath>
#include <numbers>

namespace binade::train {

double rate_factor(const wire::ScheduleConfig& schedule, std::int64_t step, std::int64_t steps) {
  if (step < schedule.warmup) return static_cast<double>(step + 1) / static_cast<double>(schedule.warmup);
  const std::int64_t since = step - schedule.warmup;
  if (schedule.kind == "step") {
    const std::int64_t falls = since / schedule.every;
    return std::pow(schedule.factor, static_cast<double>(falls));
  }
  if (schedule.kind == "cosine") {
    const std::int64_t length = steps - schedule.warmup - 1;  // the last step uses the floor
    if (since >= length) return length > 0 ? schedule.floor : 1;
    const double turn = std::numbers::pi * static_cast<double>(since) / static_cast<double>(length);
    return schedule.floor + (1 - schedule.floor) * (1 + std::cos(turn)) / 2;
  }
  return 1;
}

}  // namespace binade::train
