// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/numbers/number.h"

#include <string>

namespace binade::numbers {

/// The double that a literal rounds to when rounding to odd: the literal's value if it is a double, otherwise the one
/// of its two neighbours whose last bit is 1. A magnitude beyond a double's range gives the largest or the smallest
/// magnitude of a double. `literal` is a number as strtod() reads it in the C locale, with an optional `-`. Correct for
/// any number of digits. Leaves the thread's rounding mode as it was.
Real round_to_odd(const std::string& literal);

/// The double that is nearest to a literal, ties to even. A magnitude beyond a double's range gives the largest or 0.
/// Otherwise as round_to_odd().
double round_to_nearest(const std::string& literal);

}  // namespace binade::numbers
