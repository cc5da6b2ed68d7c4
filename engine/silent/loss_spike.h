// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/sign.h"
#include "engine/wire/records.h"

#include <deque>
#include <optional>

namespace binade::silent {

/// Follows the loss and says where it jumps: far above the spread of the losses before it, and notably above their
/// mean. Losses that are not finite have events of their own and count for nothing here.
class LossSpikes {
 public:
  /// Losses that a spike is measured against: enough for a spread, few enough to follow a falling loss.
  static constexpr std::size_t kUsual = 50;
  /// Standard deviations above their mean: of a normal spread one in a thousand million steps reaches as far.
  static constexpr double kSpreads = 6;
  /// And times the mean: where the spread is tiny, six of it is nothing.
  static constexpr double kRatio = 1.2;

  std::optional<Sign> step(const wire::StepRecord& record);

 private:
  struct Step {
    double loss;
    double norm;  ///< of the gradient; NaN: not finite
  };
  std::deque<Step> usual_;
};

}  // namespace binade::silent
