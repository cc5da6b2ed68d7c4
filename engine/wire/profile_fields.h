// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire, as fields.h: the fields of a profile.

#include "engine/wire/fields.h"
#include "engine/wire/profile.h"

namespace binade::wire {

BINADE_FIELDS(ProfileConfig, level, every, interval)
BINADE_FIELDS(ProfileSource, source, state, sentence, next, detail)
BINADE_FIELDS(ProfileBin, time, seconds, covered, tensor, hmma, imma, dmma, sm_active, clock)
BINADE_FIELDS(ProfileKernel, name, launches, seconds, by_name)
BINADE_FIELDS(TensorVerdict, kind, then, format, on_gpu, of_outputs, size, multiple, padded, operations, per_byte)
BINADE_FIELDS(SiteProfile, site, calls, forward, backward, accumulate, observe, launches, tensor, tensor_error,
              confidence, emulated, kernels, verdict)
BINADE_FIELDS(Profile, first_step, last_step, steps, step_seconds, curve, times, tensor, estimate, outside, idle, bins,
              sites)

}  // namespace binade::wire
