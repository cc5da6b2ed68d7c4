// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire, as fields.h: the fields of silent faults.

#include "engine/wire/fields.h"
#include "engine/wire/silent_fault.h"

namespace binade::wire {

BINADE_FIELDS(SilentFault, kind, direction, site, what, format, first_step, last_step, seen, looked, amount, largest,
              unit, bound, sentence, worst_step, next, fix)
BINADE_FIELDS(SilentFaultKey, kind, direction, site, what)
BINADE_FIELDS(ParameterUpdate, parameter, format, step, elements, moved, lost, lost_norm, update_over_weight)
BINADE_FIELDS(SilentReport, policy_revision, first_step, last_step, looked, faults, hidden, updates)

}  // namespace binade::wire
