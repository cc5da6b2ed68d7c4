// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/cause.h"

#include <cstddef>
#include <vector>

namespace binade::diagnose {

/// Overflows of a traced step whose loss and gradients are nevertheless finite, since the infinities were divided by,
/// clamped or left out. Includes calls that produced a NaN which vanished.
struct Vanished {
  Causes causes;  ///< the calls that are first causes; the chain is that of the first
  /// A call that receives an unrequested non-finite value and returns only finite ones.
  struct Absorber {
    int call = -1;                   ///< index in Trace::calls()
    std::vector<std::size_t> roots;  ///< indices in causes.roots of those that reach it
  };
  std::vector<Absorber> absorbers;  ///< in the order of the calls
};

/// Returns whether a cause produced +inf or NaN. An infinity below 0 alone is inconclusive, since masks are written
/// that way.
bool is_above(const Trace& trace, const Cause& cause);

Vanished find_vanished(const Trace& trace);

/// Returns the path from a call that produced a non-finite value to the call in which it vanishes.
std::vector<CauseLink> chain_from(const Trace& trace, int call);

}  // namespace binade::diagnose
