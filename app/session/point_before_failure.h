// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/session/tries.h"

#include <optional>
#include <variant>

namespace binade::app {

class RunModel;

/// The newest state of a run before its losses stopped being finite, since weights that are not finite cannot be
/// repaired: a checkpoint, or the start. For the start it writes the run's description next to the run file,
/// `NAME.start.run.json`; a problem says why it could not. nullopt: the newest loss is finite, so any state will do.
std::optional<std::variant<RunPoint, Problem>> pointBeforeFailure(const RunModel& run);

}  // namespace binade::app
