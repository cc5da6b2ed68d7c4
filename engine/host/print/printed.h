// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace binade::host {

/// Returns a number for printing: NaN loses its sign, which has no meaning, so that `loss -nan` is not printed.
inline double printed(double value) {
  return std::isnan(value) ? std::abs(value) : value;
}

}  // namespace binade::host
