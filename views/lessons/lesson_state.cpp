// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/lesson_state.h"

#include "engine/lessons/judge.h"

#include <algorithm>

namespace binade::views {

namespace {

bool isRight(const lessons::Exercise& exercise, const std::string& answer) {
  return !answer.empty() && lessons::judge(exercise, answer).verdict == lessons::Judgement::Verdict::kRight;
}

/// Blocks of one kind in the sections before `end`.
template <typename Kind>
std::vector<const Kind*> blocksOf(const lessons::Lesson& lesson, std::size_t end) {
  std::vector<const Kind*> found;
  for (std::size_t i = 0; i < std::min(end, lesson.sections.size()); ++i) {
    for (const lessons::Block& block : lesson.sections[i].blocks) {
      if (const auto* one = std::get_if<Kind>(&block)) found.push_back(one);
    }
  }
  return found;
}

template <typename Kind>
std::vector<const Kind*> blocksOf(const lessons::Lesson& lesson) {
  return blocksOf<Kind>(lesson, lesson.sections.size());
}

bool predicted(const lessons::Lesson& lesson, const LessonState& state, std::size_t end) {
  const std::size_t count = blocksOf<lessons::Prediction>(lesson, end).size();
  return std::all_of(state.predictions.begin(), state.predictions.begin() + static_cast<std::ptrdiff_t>(count),
                     [](const auto& chosen) { return chosen.has_value(); });
}

bool answered(const lessons::Lesson& lesson, const LessonState& state, std::size_t end) {
  const auto exercises = blocksOf<lessons::Exercise>(lesson, end);
  for (std::size_t i = 0; i < exercises.size(); ++i) {
    if (!isRight(*exercises[i], state.answers[i])) return false;
  }
  return true;
}

}  // namespace

LessonState fitted(LessonState state, const lessons::Lesson& lesson) {
  const auto predictions = blocksOf<lessons::Prediction>(lesson);
  state.predictions.resize(predictions.size());
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    if (state.predictions[i] >= predictions[i]->options.size()) state.predictions[i].reset();
  }
  state.answers.resize(blocksOf<lessons::Exercise>(lesson).size());
  state.ran.resize(blocksOf<lessons::Experiment>(lesson).size());
  state.opened = std::min(state.opened, lesson.sections.size());
  return state;
}

bool isSectionOpen(const lessons::Lesson& lesson, const LessonState& state, std::size_t section) {
  return section < state.opened || (predicted(lesson, state, section) && answered(lesson, state, section));
}

bool isFigureCovered(const lessons::Lesson& lesson, const LessonState& state, std::size_t figure) {
  std::size_t prediction = 0;
  std::size_t passed = 0;
  bool covered = false;
  for (std::size_t i = 0; i < lesson.sections.size(); ++i) {
    for (const lessons::Block& block : lesson.sections[i].blocks) {
      if (std::holds_alternative<lessons::Prediction>(block)) {
        const bool made = state.predictions[prediction++].has_value();
        // A later section that is open without the prediction was opened by Skip.
        covered = covered || (!made && state.opened <= i + 1);
      }
      if (std::holds_alternative<lessons::Figure>(block) && passed++ == figure) {
        return covered || !isSectionOpen(lesson, state, i);
      }
    }
  }
  return false;
}

bool isLessonDone(const lessons::Lesson& lesson, const LessonState& state) {
  const LessonState all = fitted(state, lesson);
  const std::size_t end = lesson.sections.size();
  return predicted(lesson, all, end) && answered(lesson, all, end);
}

std::vector<StepState> lessonSteps(const lessons::Lesson& lesson, const LessonState& state) {
  const LessonState all = fitted(state, lesson);
  const std::size_t end = lesson.sections.size();
  std::vector<StepState> steps;
  if (!all.predictions.empty()) steps.push_back({LessonStep::kPredict, predicted(lesson, all, end)});
  if (!all.ran.empty()) {
    steps.push_back({LessonStep::kRun, std::find(all.ran.begin(), all.ran.end(), true) != all.ran.end()});
  }
  if (end > 1) steps.push_back({LessonStep::kReveal, isSectionOpen(lesson, all, 1)});
  if (!all.answers.empty()) steps.push_back({LessonStep::kCheck, answered(lesson, all, end)});
  return steps;
}

}  // namespace binade::views
