// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire: what the statistics of a quantized operand must hold.

#include "engine/wire/field_check.h"
#include "engine/wire/quantized.h"
#include "engine/wire/what_if.h"

namespace binade::wire {

void check_quantized(FieldCheck& check, const QuantizedOperand& operand);
/// Without its effects and blocks, which are checked one by one.
void check_what_if(FieldCheck& check, const WhatIf& what_if);
void check_effect(FieldCheck& check, const FormatEffect& effect);
void check_block(FieldCheck& check, const QuantizedBlock& block);

}  // namespace binade::wire
