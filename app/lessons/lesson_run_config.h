// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/lesson.h"
#include "engine/wire/run_config.h"

#include <QString>

#include <cstddef>
#include <string>

namespace binade::app {

/// The run of one training of an experiment: that with policy number `policy`. Its results depend on neither time nor
/// machine, and it leaves no files. `fashion`: folder of Fashion-MNIST; if it is empty, models for pictures train on
/// random data, and the caption says so. The sample must be known (findSampleTraining()).
wire::RunConfig lessonRunConfig(const lessons::Experiment& experiment, std::size_t policy, const QString& lesson,
                                const std::string& fashion);

}  // namespace binade::app
