// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/symptom.h"
#include "engine/wire/records.h"

#include <deque>
#include <optional>

namespace binade::silent {

/// Finds spikes of the loss: far above the spread of the preceding losses and well above their mean. Losses that are
/// not finite are ignored; they have events of their own.
class LossSpikes {
 public:
  /// Number of preceding losses: enough for a spread, few enough to follow a falling loss.
  static constexpr std::size_t kUsual = 50;
  /// Standard deviations above the mean; normally distributed losses reach that once in 10^9 steps.
  static constexpr double kSpreads = 6;
  /// Minimum ratio to the mean, because six deviations of a tiny spread are negligible.
  static constexpr double kRatio = 1.2;

  /// Adds a step; returns a symptom if its loss is a spike.
  std::optional<Symptom> step(const wire::StepRecord& record);

 private:
  struct Step {
    double loss;
    double norm;  ///< norm of the gradient; NaN: not finite
  };
  std::deque<Step> usual_;
};

}  // namespace binade::silent
