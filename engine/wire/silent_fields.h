// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire, as fields.h: the fields of silent faults.

#include "engine/wire/fields.h"
#include "engine/wire/silent_fault.h"

namespace binade::wire {

BINADE_FIELDS(SilentFacts, share, count, of, output, of_argument, step, zeroed, lowest_scale, highest_scale, largest,
              logit_error, before, before_step, update_over_weight, epsilon, loss, usual_loss, spreads, gradient_ratio,
              scale, wrong, harmless, where, unmeasured, in_loop, alive_in_float32, origin, origin_added,
              origin_becomes, infinite_site, operand, quantized_format, snr_db, stale, alternative, alternative_share,
              alternative_snr_db, buffer, buffer_since)
BINADE_FIELDS(SilentFault, kind, direction, site, what, format, first_step, last_step, seen, observed_steps, amount,
              largest, unit, bound, facts, worst_step, fix)
BINADE_FIELDS(SilentGap, reason, site, count, largest, fault, what, why)
BINADE_FIELDS(ParameterUpdate, parameter, format, step, elements, moved, lost, lost_norm, update_over_weight)
BINADE_FIELDS(SilentReport, policy_revision, first_step, last_step, observed_steps, faults, hidden, updates)

}  // namespace binade::wire
