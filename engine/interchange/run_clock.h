// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace binade::interchange {

/// The time of the records of a run, as far as the file holds it: its creation, plus the durations of the steps so far.
/// Time between steps (evaluations, pauses) is not recorded. A checkpoint, which has a time of its own, moves the clock
/// forward to it.
class RunClock {
 public:
  /// `created`: seconds since 1970.
  explicit RunClock(std::optional<std::int64_t> created) : created_(created) {}

  /// A step ended. Durations that no step can have are ignored.
  void pass(const wire::StepRecord& step) {
    if (std::isfinite(step.seconds) && step.seconds > 0) elapsed_ += step.seconds;
  }
  void pass(const wire::CheckpointInfo& saved) {
    if (created_) elapsed_ = std::max(elapsed_, static_cast<double>(saved.saved - *created_));
  }

  /// Seconds since the file was created.
  double elapsed() const { return elapsed_; }
  /// Seconds since 1970; nullopt if the file does not say when it was created.
  std::optional<double> wall() const {
    return created_ ? std::optional(static_cast<double>(*created_) + elapsed_) : std::nullopt;
  }

 private:
  std::optional<std::int64_t> created_;
  double elapsed_ = 0;
};

}  // namespace binade::interchange
