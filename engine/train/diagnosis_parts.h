// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/cause.h"
#include "engine/wire/diagnosis.h"

namespace binade::train {

/// Fills in first causes, chain, direction and end from a trace. Verdict, evidence and fix are left unchanged.
void describe_causes(wire::Diagnosis& diagnosis, const observe::Trace& trace, const observe::Causes& causes);

/// Of gradients among these causes that hold NaN, of which it is not known that something was too large: says so.
void name_nan(wire::Diagnosis& diagnosis, const observe::Trace& trace, const observe::Causes& causes);

}  // namespace binade::train
