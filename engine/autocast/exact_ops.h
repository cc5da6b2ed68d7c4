// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/arguments.h"

namespace binade::autocast {

/// What an op computes exactly, so that no rounding is needed.
struct Exactness {
  bool values = false;     ///< each result is an argument's value, its negative or 0, so it is in the arguments' format
  bool gradients = false;  ///< each gradient that it sends is one that it received, its negative or 0
};

/// Exactness of this call; some ops sum only if shapes are broadcast.
Exactness exactness_of(const Arguments& arguments);

/// Whether a view contains an element more than once, so that its backward sums.
bool repeats_elements(std::string_view op);

}  // namespace binade::autocast
