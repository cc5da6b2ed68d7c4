// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/observe_cost.h"

#include <optional>
#include <string>

namespace binade::words {

/// `observing changed the time of training by +0.8 % (95 %: +0.5 to +1.1 %), ...`. A figure may be negative because of
/// noise. Without a figure, or if it is inconclusive: that there were too few steps to measure. Names a level whose
/// steps take much longer.
std::string observe_cost_text(const std::optional<wire::ObserveCost>& cost);

}  // namespace binade::words
