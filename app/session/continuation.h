// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/notifications.h"

#include <optional>
#include <vector>

namespace binade::app {

class RunModel;

/// Returns what of a training's history a shown run of this training lacks, in its order. nullopt: the history does not
/// continue the shown run, because the training was rewound to an earlier step since, so it replaces the run.
///
/// An explorer that is connected again receives the history that the engine kept, which may lack what is shown already.
std::optional<std::vector<wire::RunNotification>> continuation(const RunModel& shown,
                                                               const std::vector<wire::RunNotification>& history);

}  // namespace binade::app
