// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/cause.h"
#include "engine/wire/diagnosis.h"

#include <string>

namespace binade::diagnose {

/// Returns a change of the model's code that removes a first cause, with the source line if known. Examples: one stable
/// op instead of two (binary_cross_entropy_with_logits for the logarithm of a sigmoid), an epsilon that the format can
/// represent, scaling the query before the product. A formula is recognised by the traced calls, their arguments and
/// constants, so no other formula is replaced. `verdict`: that of the event. Returns an empty string if the event is by
/// design, or if no change is known.
std::string cure_of(const Trace& trace, const Cause& cause, wire::Verdict verdict);

}  // namespace binade::diagnose
