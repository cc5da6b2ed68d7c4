// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/problem.h"
#include "app/run_model.h"

#include <QString>

#include <optional>

namespace binade::app {

/// Reads a `.binade` run file into `run`, through the same functions that a live run comes through. Where the file
/// cannot be read the model stays as it was and the problem comes back.
std::optional<Problem> loadRunFile(const QString& file, RunModel& run);

}  // namespace binade::app
