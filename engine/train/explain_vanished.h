// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/train/replay.h"
#include "engine/wire/diagnosis.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace binade::train {

/// What became of overflows that left a step finite.
struct ExplainedVanished {
  wire::Diagnosis diagnosis;
  std::vector<silent::VanishedSeen> seen;  ///< one for each first cause; `infinite` is left out
  /// First causes of which nothing can be said, as a measurement failed; of `diagnosis` and `seen` then nothing, where
  /// there are no others.
  std::vector<silent::Unmeasured> unmeasured;
};

/// Why values overflowed in the step that `replay` keeps although its loss and gradients are finite: the infinity was
/// divided by, clamped, or left out. A fix is tried out as explain() does, and the step beside the one under the fix
/// tells whether what was computed from the infinity is wrong: nothing where it is not (a tanh, a mask), or where
/// nothing overflows unasked. Where it is wrong and neither the loss nor the gradients are off by more than rounding
/// explains, that is told as harmless so far. Where no fix is found, nothing tells; infinities below 0, which masks are
/// made of, are then left out. Throws where the step cannot be replayed. Training's state is as before afterwards, to
/// the bit.
std::optional<ExplainedVanished> explain_vanished(Replay& replay, std::int64_t step);

/// That an op call overflows, and nobody knows what comes of it.
silent::Unmeasured unmeasured_vanished(int site, std::string why);

}  // namespace binade::train
