// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/float64_probe.h"
#include "engine/formats/format.h"

#include <string>

namespace binade::diagnose {

/// Describes a reason: `a division by 0: 3 of 32 are 0`. Empty if unknown.
std::string text_of(const Why& why);

/// First words of text_of() for a value that became 1 or -1 instead of 0: `rounded to 1: 6 of 32 values`.
inline const std::string kRoundedTo = "rounded to ";

/// Describes a loss: `the constant 1e-08 is 0 there`, `12 of 64 values were too small for it`.
std::string text_of(const Lost& lost);

}  // namespace binade::diagnose
