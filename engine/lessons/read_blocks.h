// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/facts.h"
#include "engine/lessons/lesson.h"
#include "engine/lessons/source_blocks.h"

#include <optional>

namespace binade::lessons {

// Each function reads one directive. It reports what is wrong and returns nothing then. Captions are not filled with
// facts, because the facts of later figures are not known yet.

std::optional<Figure> read_figure(const SourceBlock& block, Problems& problems);
std::optional<Prediction> read_prediction(const SourceBlock& block, const Facts& facts, Problems& problems);
std::optional<Experiment> read_experiment(const SourceBlock& block, Problems& problems);
std::optional<Exercise> read_exercise(const SourceBlock& block, const Facts& facts, Problems& problems);

/// Name that a `figure` block gives itself, also if it is otherwise wrong.
std::string figure_name(const SourceBlock& block);

}  // namespace binade::lessons
