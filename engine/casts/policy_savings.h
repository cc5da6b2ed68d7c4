// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"
#include "engine/wire/savings.h"

#include <cstdint>

namespace binade::casts {

/// Measures what another policy would save in a step, compared to the one in force: casts, the time of forwards, and
/// the matrix products that would run in another format. Runs both on a copy of the next batch, without changing the
/// training; `step` is the next step. Without estimates. Throws Error{kUsage} for another base list, which may store
/// the weights differently, and what the model's ops throw.
wire::Savings policy_savings(train::Training& training, const policy::Policy& wanted, std::int64_t step);

}  // namespace binade::casts
