// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/cause.h"

namespace binade::observe {

/// Overflows of a traced step whose loss and gradients are finite all the same, since what became infinite was divided
/// by, clamped or left out: the calls that are their first causes. So are calls that made a NaN which vanished. Of
/// infinities below 0 nothing is said: they are how masks are written, too large for the format or not. The chain leads
/// from the first of them to the call in which it vanishes.
Causes find_vanished(const Trace& trace);

}  // namespace binade::observe
