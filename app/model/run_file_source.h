// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/model/run_model.h"
#include "engine/record/damage.h"
#include "engine/record/run_reader.h"

#include <QString>

#include <functional>
#include <optional>

namespace binade::app {

/// Returns whether the statistics in a run file are so many that a view of the run should not wait for all of them.
/// False for a file that cannot be read.
bool hasManyStatistics(const QString& file);

/// Loads a `.binade` run file into `run`, using the same functions as a live run. Rows that are not the engine's or do
/// not fit the run are left out and recorded in `damage`, if given. If nothing can be shown, `run` is unchanged and the
/// problem is returned. `progress` is called with the share read, 0 to 1, which is small for a run that ended early;
/// false stops the reading. `statistics`: which steps get theirs. Any thread that owns `run`.
std::optional<Problem> loadRunFile(const QString& file, RunModel& run, record::Damage* damage = nullptr,
                                   const std::function<bool(double share)>& progress = {},
                                   record::Statistics statistics = record::Statistics::kAll);

/// Describes what was left out of a run file; nullopt if everything was read.
std::optional<Problem> damageProblem(const QString& file, const record::Damage& damage);

}  // namespace binade::app
