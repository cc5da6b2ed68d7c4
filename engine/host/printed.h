// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace binade::host {

/// A number as commands print it: a NaN has a sign, which says nothing, so that `loss -nan` is not printed.
inline double printed(double value) {
  return std::isnan(value) ? std::abs(value) : value;
}

}  // namespace binade::host
