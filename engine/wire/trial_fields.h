// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire, as fields.h: the fields of a Try.

#include "engine/wire/fields.h"
#include "engine/wire/trial.h"

namespace binade::wire {

BINADE_FIELDS(TrialArm, losses, evaluation, accuracy, overflows, skipped, scale, seconds, casts, cast_bytes, peak_bytes,
              finite_weights, failure)
BINADE_FIELDS(TrialSeed, seed, before, after, noise)
BINADE_FIELDS(TrialDifference, before, after, mean, low, high, noise, floor)
BINADE_FIELDS(TrialEstimate, gpu, before, after)
BINADE_FIELDS(Trial, name, before, after, checkpoint, first_step, steps, seeds, complete, verdict, worse_from, loss,
              late_loss, evaluation, seconds, emulated_before, emulated_after, estimates, notes, made)

}  // namespace binade::wire
