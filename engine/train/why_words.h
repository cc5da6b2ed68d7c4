// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/observe/float64_probe.h"

#include <string>

namespace binade::train {

/// Describes a reason: `a division by 0: 3 of 32 are 0`. Empty if unknown.
std::string text_of(const observe::Why& why);

/// How text_of() begins where a value became 1 or -1, and not 0: `rounded to 1: 6 of 32 values`.
inline const std::string kRoundedTo = "rounded to ";

/// What was lost to a format: `the constant 1e-08 is 0 there`, `12 of 64 values were too small for it`.
std::string text_of(const observe::Lost& lost);

/// The smallest constant that a format can hold, rounded up: `6e-08` for float16.
std::string least_constant(const formats::Format& format);

}  // namespace binade::train
