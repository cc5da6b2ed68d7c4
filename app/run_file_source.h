// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/problem.h"
#include "app/run_model.h"
#include "engine/record/damage.h"

#include <QString>

#include <optional>

namespace binade::app {

/// Reads a `.binade` run file into `run`, through the same functions that a live run comes through. Rows that no engine
/// wrote, or that do not fit the run, are left out and told to `damage`, if given. Where nothing can be shown the model
/// stays as it was and the problem comes back.
std::optional<Problem> loadRunFile(const QString& file, RunModel& run, record::Damage* damage = nullptr);

/// What was left out of a run file, as a person reads it; nothing where all could be read.
std::optional<Problem> damageProblem(const QString& file, const record::Damage& damage);

}  // namespace binade::app
