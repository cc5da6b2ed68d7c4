// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/cause.h"

#include <string>

namespace binade::diagnose {

/// Returns what to change in the model about a first cause, with the source line if known. Examples: one safe op in
/// place of two (binary_cross_entropy_with_logits for the logarithm of a sigmoid), an epsilon that the format can hold,
/// scaling a query before the product. Based on the traced calls, their arguments and constants. Empty if no cure is
/// known.
std::string cure_of(const Trace& trace, const Cause& cause);

}  // namespace binade::diagnose
