// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/cause.h"

#include <cstddef>
#include <vector>

namespace binade::observe {

/// Overflows of a traced step whose loss and gradients are finite all the same, since what became infinite was divided
/// by, clamped or left out. So are calls that made a NaN which vanished.
struct Vanished {
  Causes causes;  ///< the calls that are their first causes; the chain is that of the first
  /// A call that takes something that is not finite, unasked, and gives only finite numbers.
  struct Absorber {
    int call = -1;                   ///< Trace::calls()
    std::vector<std::size_t> roots;  ///< of causes.roots, those that reach it
  };
  std::vector<Absorber> absorbers;  ///< in the order of the calls
};

/// Whether a cause gave an infinity above 0, or a NaN: of infinities below 0 nothing is known by themselves. They are
/// how masks are written, too large for the format or not.
bool is_above(const Trace& trace, const Cause& cause);

Vanished find_vanished(const Trace& trace);

/// From a call that made something not finite to the one in which that vanishes.
std::vector<CauseLink> chain_from(const Trace& trace, int call);

}  // namespace binade::observe
