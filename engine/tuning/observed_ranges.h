// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/replay.h"
#include "engine/formats/format.h"

#include <map>
#include <optional>

namespace binade::tuning {

/// The range of an op call's values in a step: of its results, of arguments before their casts, and of gradients.
struct ObservedRange {
  /// How often the largest value can double before it overflows the candidate format; nullopt: all values are 0.
  /// Gradients count only without a loss scaler, which otherwise keeps them in range.
  std::optional<double> doublings_left;
  double lost = 0;          ///< largest share of a tensor's norm that becomes 0 in the candidate format; 0 below a
                            ///< thousandth
  bool overflowed = false;  ///< a value exceeded the format that the op call now has
};

/// Observes the step that `replay` holds, by one pass, and returns the ranges of op calls with floating-point results,
/// by site. Requires a train::TrainingStateGuard. Throws what the step throws.
std::map<int, ObservedRange> observe_ranges(diagnose::Replay& replay, const formats::Format& candidate);

}  // namespace binade::tuning
