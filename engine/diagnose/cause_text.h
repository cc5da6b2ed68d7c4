// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/float64_probe.h"
#include "engine/formats/format.h"

#include <string>

namespace binade::diagnose {

/// Describes a reason: `a division by 0: 3 of 32 are 0`. Empty if unknown.
std::string text_of(const InvalidOperation& why);

/// Describes a loss: `the constant 1e-08 is 0 there`, `12 of 64 values were too small for it`; only `6 of 32 values` if
/// they were rounded to 1 or -1.
std::string text_of(const Lost& lost);

/// Describes a step that only a loss scale below 1 makes finite. `has_rules`: a wider format of op calls does so too.
std::string only_below_one_text(bool has_rules);

}  // namespace binade::diagnose
