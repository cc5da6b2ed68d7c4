// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire: what the statistics of a quantized operand must hold.

#include "engine/wire/field_check.h"
#include "engine/wire/quantized.h"

namespace binade::wire {

void check_quantized(FieldCheck& check, const QuantizedOperand& operand);

}  // namespace binade::wire
