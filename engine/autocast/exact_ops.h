// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/arguments.h"

namespace binade::autocast {

/// What an op leaves exact, so that nothing needs rounding there.
struct Exactness {
  bool values = false;     ///< each result is an argument's value, its negative, or 0: in the format if those were
  bool gradients = false;  ///< each gradient it sends is one it got, its negative, or 0
};

/// Of this call: some ops sum only where shapes are broadcast.
Exactness exactness_of(const Arguments& arguments);

/// Whether a view shows an element more than once, so that its backward sums.
bool repeats_elements(std::string_view op);

}  // namespace binade::autocast
