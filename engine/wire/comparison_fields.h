// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire, as fields.h: the fields of a comparison with float32 and of the cast ledger.

#include "engine/wire/casts.h"
#include "engine/wire/fields.h"

namespace binade::wire {

BINADE_FIELDS(SiteDifference, site, calls, forward, added, measured, gradient, cosine, gradient_added, arrived,
              inherited, becomes, becomes_at, zeroed, gradient_zeroed)
BINADE_FIELDS(ReferenceNote, kind, site, name, format)
BINADE_FIELDS(Float32Comparison, step, loss, float32_loss, scale, sites, reference)
BINADE_FIELDS(CastLine, site, argument, from, to, casts, saved, bytes, seconds, cause, rule, widest, single_calls,
              edit_match, edit_format, edit_bytes, edit_seconds)
BINADE_FIELDS(CastLedger, policy_revision, first_step, last_step, steps, step_seconds, lines)

}  // namespace binade::wire
