// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/lesson.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace binade::views {

/// What a person has done in a lesson. A plain value, kept by the owner of the window. Blocks are counted in the order
/// of the lesson, each kind for itself, so a state survives changes of the text.
struct LessonState {
  std::vector<std::optional<std::size_t>> predictions = {};  ///< the option chosen for each prediction
  std::vector<std::string> answers = {};                     ///< the answer checked last for each exercise; empty: none
  std::vector<bool> ran = {};                                ///< for each experiment: it was run to its end
  std::size_t opened = 0;  ///< sections before this one are shown without the work before them, because of *Skip*

  friend bool operator==(const LessonState&, const LessonState&) = default;
};

/// The state with one entry for each block of the lesson; entries that do not fit are dropped.
LessonState fitted(LessonState state, const lessons::Lesson& lesson);

/// Whether the section of this number is shown: every prediction before it was made and every exercise before it was
/// answered right, or it was opened by *Skip*. `state` must be fitted.
bool isSectionOpen(const lessons::Lesson& lesson, const LessonState& state, std::size_t section);

/// Whether a figure, counted in the order of the lesson, must not be shown yet: it stands after a prediction that was
/// neither made nor passed over by *Skip*, or in a section that is not open. `state` must be fitted.
bool isFigureCovered(const lessons::Lesson& lesson, const LessonState& state, std::size_t figure);

/// Whether every prediction was made and every exercise answered right.
bool isLessonDone(const lessons::Lesson& lesson, const LessonState& state);

/// The steps of every lesson. Predict and Check are in each, the others where the lesson has them.
enum class LessonStep { kPredict, kRun, kReveal, kCheck };

struct StepState {
  LessonStep step = LessonStep::kPredict;
  bool done = false;
};

/// The steps that a lesson has, in their order.
std::vector<StepState> lessonSteps(const lessons::Lesson& lesson, const LessonState& state);

}  // namespace binade::views
