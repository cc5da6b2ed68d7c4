// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/cause.h"
#include "engine/train/tries.h"

#include <cstdint>
#include <optional>

namespace binade::train {

/// Looks for op calls that, in float32, make step `step` finite: those that fail, those that fail then, and those that
/// give them their arguments, since a value that became 0 on the way cannot be divided by any more. A step is not
/// taken for finite while a first cause still overflows, or a call behind one, and only vanishes. Of what it finds it
/// takes back what is not needed. Scales are lowered with them where gradients survive that (`tries` has them so
/// afterwards). Nothing where nothing helps. `causes` of `trace`, that of the step itself.
std::optional<SiteRules> widen(Tries& tries, const observe::Causes& causes, const observe::Trace& trace,
                               std::int64_t step);

}  // namespace binade::train
