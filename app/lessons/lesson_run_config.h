// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/trainings.h"
#include "engine/wire/run_config.h"

#include <QString>

#include <string>

namespace binade::app {

/// The run of one training of an experiment. Its results depend on neither time nor machine. It names no run file.
/// `fashion`: folder of Fashion-MNIST; if it is empty, models for pictures train on
/// random data, and the caption says so. The sample must be known (findSampleTraining()).
wire::RunConfig lessonRunConfig(const lessons::Experiment& experiment, const lessons::Training& training,
                                const QString& lesson, const std::string& fashion);

}  // namespace binade::app
