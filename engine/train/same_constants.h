// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/lost_values.h"
#include "engine/train/widen.h"

namespace binade::train {

/// A constant that became 0 in its format is 0 wherever else the op takes it, where another batch meets a 0. Extends a
/// fix that widens a call which lost a constant by the other calls of its op with the same one, where the step stays
/// finite. `lost` is of `lost_trace`, `fix` of the step whose trace is `first`. While a Replay::Aside lives.
void widen_same_constants(Tries& tries, Widened& fix, const observe::Trace& first, const observe::Trace& lost_trace,
                          const observe::LostValues& lost);

}  // namespace binade::train
