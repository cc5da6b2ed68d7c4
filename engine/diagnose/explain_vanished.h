// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/replay.h"
#include "engine/silent/evidence.h"
#include "engine/wire/diagnosis.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace binade::diagnose {

/// The effect of overflows that left a step finite.
struct ExplainedVanished {
  wire::Diagnosis diagnosis;
  std::vector<silent::VanishedSeen> seen;  ///< one per first cause, with `infinite` unset
  /// First causes whose effect could not be measured. If there are no others, `diagnosis` and `seen` are empty.
  std::vector<silent::Unmeasured> unmeasured;
};

/// Explains why values overflowed in the step kept by `replay` although its loss and gradients are finite: the infinity
/// was divided by, clamped, or left out. Tries a fix like explain(), and compares the step with the one
/// under the fix to determine whether results computed from the infinity are wrong.
///
/// Returns nullopt if they are not (a tanh, a mask), or if nothing overflows unrequested. If they are wrong, but loss
/// and gradients are within rounding errors, the diagnosis says that it is harmless so far. Without a fix there is no
/// comparison; infinities below 0, as used in masks, are then left out. Throws if the step cannot be replayed. The
/// training's state is restored bit for bit.
std::optional<ExplainedVanished> explain_vanished(Replay& replay, std::int64_t step);

/// Returns an entry for an op call that overflows with unknown effect.
silent::Unmeasured unmeasured_vanished(int site, std::string why);

}  // namespace binade::diagnose
