// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/replay.h"
#include "engine/wire/diagnosis.h"

#include <cstdint>
#include <optional>

namespace binade::train {

/// Why values overflowed in the step that `replay` keeps although its loss and gradients are finite: the infinity was
/// divided by, clamped, or left out, and what was computed from it is wrong. Nothing where nothing did, or only what
/// was asked for (masks). A fix is tried out as explain() does. Training's state is as before afterwards, to the bit.
std::optional<wire::Diagnosis> explain_vanished(Replay& replay, std::int64_t step);

}  // namespace binade::train
