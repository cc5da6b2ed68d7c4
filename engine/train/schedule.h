// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <cstdint>

namespace binade::train {

/// What the learning rate of every group is multiplied by in step `step` (from 0) of `steps`. A function of the step
/// alone, so that a resumed run goes on where it stood; skipped steps count.
double rate_factor(const wire::ScheduleConfig& schedule, std::int64_t step, std::int64_t steps);

}  // namespace binade::train
