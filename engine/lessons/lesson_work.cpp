// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/lesson_work.h"

#include "engine/lessons/blocks_of.h"
#include "engine/lessons/judge.h"

#include <algorithm>
#include <utility>

namespace binade::lessons {

namespace {

bool is_predicted(const Prediction& prediction, const LessonWork& work, std::size_t index) {
  return index < work.predictions.size() && work.predictions[index] &&
         *work.predictions[index] < prediction.options.size();
}

/// Whether all predictions in the sections before `end` were made.
bool all_predicted(const Lesson& lesson, const LessonWork& work, std::size_t end) {
  const auto predictions = blocks_of<Prediction>(lesson, end);
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    if (!is_predicted(*predictions[i], work, i)) return false;
  }
  return true;
}

/// Whether all exercises in the sections before `end` were answered right.
bool all_answered(const Lesson& lesson, const LessonWork& work, std::size_t end) {
  const std::size_t count = blocks_of<Exercise>(lesson, end).size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_answered(lesson, work, i)) return false;
  }
  return true;
}

}  // namespace

LessonWork fitted(LessonWork work, const Lesson& lesson) {
  const auto predictions = blocks_of<Prediction>(lesson);
  work.predictions.resize(predictions.size());
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    if (!is_predicted(*predictions[i], work, i)) work.predictions[i].reset();
  }
  work.answers.resize(blocks_of<Exercise>(lesson).size());
  work.ran.resize(blocks_of<Experiment>(lesson).size());
  work.opened = std::min(work.opened, lesson.sections.size());
  return work;
}

bool is_answered(const Lesson& lesson, const LessonWork& work, std::size_t exercise) {
  const auto exercises = blocks_of<Exercise>(lesson);
  if (exercise >= exercises.size() || exercise >= work.answers.size() || work.answers[exercise].empty()) return false;
  return judge(*exercises[exercise], work.answers[exercise]).verdict == Judgement::Verdict::kRight;
}

bool is_section_open(const Lesson& lesson, const LessonWork& work, std::size_t section) {
  return section < work.opened || (all_predicted(lesson, work, section) && all_answered(lesson, work, section));
}

bool is_figure_covered(const Lesson& lesson, const LessonWork& work, std::size_t figure) {
  std::size_t predictions = 0;
  std::size_t figures = 0;
  bool covered = false;
  for (std::size_t i = 0; i < lesson.sections.size(); ++i) {
    for (const Block& block : lesson.sections[i].blocks) {
      if (const auto* prediction = std::get_if<Prediction>(&block)) {
        const bool made = is_predicted(*prediction, work, predictions++);
        // A later section that is open without the prediction was opened by Skip.
        covered = covered || (!made && work.opened <= i + 1);
      }
      if (std::holds_alternative<Figure>(block) && figures++ == figure) {
        return covered || !is_section_open(lesson, work, i);
      }
    }
  }
  return false;
}

bool is_lesson_done(const Lesson& lesson, const LessonWork& work) {
  const std::size_t end = lesson.sections.size();
  return all_predicted(lesson, work, end) && all_answered(lesson, work, end);
}

std::vector<StepState> lesson_steps(const Lesson& lesson, const LessonWork& work) {
  const LessonWork all = fitted(work, lesson);
  const std::size_t end = lesson.sections.size();
  std::vector<StepState> steps;
  if (!all.predictions.empty()) steps.push_back({LessonStep::kPredict, all_predicted(lesson, all, end)});
  if (!all.ran.empty()) {
    steps.push_back({LessonStep::kRun, std::find(all.ran.begin(), all.ran.end(), true) != all.ran.end()});
  }
  // Skip opens a section without its predictions, which does not complete the step.
  const bool revealed = is_section_open(lesson, all, 1) && all_predicted(lesson, all, 1);
  if (end > 1) steps.push_back({LessonStep::kReveal, revealed});
  if (!all.answers.empty()) steps.push_back({LessonStep::kCheck, all_answered(lesson, all, end)});
  return steps;
}

}  // namespace binade::lessons
