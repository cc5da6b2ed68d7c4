// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/model/run_model.h"
#include "engine/record/damage.h"

#include <QString>

#include <functional>
#include <optional>

namespace binade::app {

/// Loads a `.binade` run file into `run`, using the same functions as a live run. Rows that are not the engine's or do
/// not fit the run are left out and recorded in `damage`, if given. If nothing can be shown, `run` is unchanged and the
/// problem is returned. `progress` is called with the share read, 0 to 1, which is small for a run that ended early;
/// false stops the reading. Any thread that owns `run`.
std::optional<Problem> loadRunFile(const QString& file, RunModel& run, record::Damage* damage = nullptr,
                                   const std::function<bool(double share)>& progress = {});

/// Describes what was left out of a run file; nullopt if everything was read.
std::optional<Problem> damageProblem(const QString& file, const record::Damage& damage);

}  // namespace binade::app
