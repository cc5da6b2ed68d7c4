// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/symptom.h"
#include "engine/wire/records.h"

#include <cstdint>
#include <optional>

namespace binade::silent {

/// Finds a loss scale that has fallen below 1 and stays there, where it lifts no gradient.
class LowScale {
 public:
  /// Number of consecutive steps at such a scale; after fewer it may still change.
  static constexpr std::int64_t kSettled = 20;

  /// Adds a step; returns a symptom once the scale has settled. A scale that started below 1 is intended.
  std::optional<Symptom> step(const wire::StepRecord& record);

 private:
  double highest_ = 0;
  double last_ = 0;
  std::int64_t below_ = 0;
};

}  // namespace binade::silent
