// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/cause.h"
#include "engine/wire/diagnosis.h"

namespace binade::diagnose {

/// Fills in first causes, chain, direction and end from a trace. Verdict, evidence and fix are left unchanged.
void describe_causes(wire::Diagnosis& diagnosis, const Trace& trace, const Causes& causes);

/// States for gradients among these causes that hold NaN, and for which nothing is known to have been too large, that
/// they are NaN.
void name_nan(wire::Diagnosis& diagnosis, const Trace& trace, const Causes& causes);

}  // namespace binade::diagnose
