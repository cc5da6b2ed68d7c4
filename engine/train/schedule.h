// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/run_config.h"

#include <cstdint>

namespace binade::train {

/// Returns the factor of all learning rates in step `step` (from 0) of `steps`. Depends on the step only, so that a
/// resumed run continues the schedule; skipped steps count.
double rate_factor(const wire::ScheduleConfig& schedule, std::int64_t step, std::int64_t steps);

}  // namespace binade::train
