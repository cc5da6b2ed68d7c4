// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

namespace binade::lessons {

/// Largest number u of `format` for which parameter + u, rounded to the format, is the parameter again. `parameter` is
/// a positive number of the format. 0 if every increase is kept.
double largest_lost_increase(double parameter, const formats::Format& format);

/// The same for parameter - u.
double largest_lost_decrease(double parameter, const formats::Format& format);

}  // namespace binade::lessons
