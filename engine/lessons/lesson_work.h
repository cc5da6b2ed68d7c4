// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/lesson.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace binade::lessons {

/// What a person has done in a lesson. A plain value. Blocks of each kind count from 0 in the order of the lesson, so
/// that the work survives changes of the text. Lists may be shorter or longer than the lesson, whose file may have
/// changed; fitted() makes them fit.
struct LessonWork {
  std::vector<std::optional<std::size_t>> predictions = {};  ///< the option chosen for each prediction
  std::vector<std::string> answers = {};  ///< checked last for each exercise, right or wrong; empty: none
  std::vector<bool> ran = {};             ///< for each experiment: it was run to its end
  std::size_t opened = 0;  ///< sections before this one are shown without the work before them, because of *Skip*

  friend bool operator==(const LessonWork&, const LessonWork&) = default;
};

/// The work with one entry for each block of the lesson; entries that do not fit are dropped.
LessonWork fitted(LessonWork work, const Lesson& lesson);

/// Whether the answer checked last for this exercise is right.
bool is_answered(const Lesson& lesson, const LessonWork& work, std::size_t exercise);

/// Whether the section of this number is shown: every prediction before it was made and every exercise before it was
/// answered right, or it was opened by *Skip*.
bool is_section_open(const Lesson& lesson, const LessonWork& work, std::size_t section);

/// Whether a figure, counted in the order of the lesson, must not be shown yet: it stands after a prediction that was
/// neither made nor passed over by *Skip*, or in a section that is not open.
bool is_figure_covered(const Lesson& lesson, const LessonWork& work, std::size_t figure);

/// Whether every prediction was made and every exercise answered right. Experiments do not count: they need an engine.
bool is_lesson_done(const Lesson& lesson, const LessonWork& work);

/// The steps of every lesson. Predict and Check are in each, the others where the lesson has them.
enum class LessonStep { kPredict, kRun, kReveal, kCheck };

struct StepState {
  LessonStep step = LessonStep::kPredict;
  bool done = false;
};

/// The steps that a lesson has, in their order.
std::vector<StepState> lesson_steps(const Lesson& lesson, const LessonWork& work);

}  // namespace binade::lessons
