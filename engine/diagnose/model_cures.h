// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/cause.h"
#include "engine/wire/diagnosis.h"

#include <string>

namespace binade::diagnose {

/// What to change in the model itself about a first cause, with the line where its code tells it: the op that is safe
/// where two are not (binary_cross_entropy_with_logits for a logarithm of a sigmoid), an epsilon that its format holds,
/// a query that is scaled before the product. It goes by what the traced calls compute, of what and with what numbers:
/// a formula is replaced only where it is that formula. `verdict`: what the event is told to be; nothing is to be
/// changed about one that is by design. Empty where no such cure is known.
std::string cure_of(const Trace& trace, const Cause& cause, wire::Verdict verdict);

}  // namespace binade::diagnose
