// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/blocks_of.h"
#include "engine/lessons/lesson_work.h"
#include "tests/support/suite.h"

#include <string>
#include <utility>

namespace binade::test {

// What is open, covered and done in a lesson, from what a person has done in it.
class WorkInLessons : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void workOfAnotherVersionOfTheLessonIsFitted();
  void aLessonIsDoneWithAllPredictionsAndRightAnswers();
  void listsThatAreTooShortCountAsNotDone();
  void aSectionOpensWithTheWorkBeforeItOrBySkip();
  void aFigureBehindThePredictionIsCovered();
  void aFigureOfAClosedSectionIsCovered();
  void stepsAreThoseOfTheLesson();
  void blocksAreCountedUpToASection();
};

using lessons::LessonWork;

namespace {

lessons::Exercise asked(std::string word) {
  lessons::Exercise exercise;
  exercise.answer = std::vector<std::string>{std::move(word)};
  return exercise;
}

/// A prediction and a figure, an exercise in the second section, and a figure and an exercise in the third.
lessons::Lesson three_sections() {
  lessons::Prediction prediction;
  prediction.options = {{"Yes", "Right.", true}, {"No", "Wrong.", false}};
  lessons::Lesson lesson;
  lesson.sections.push_back({"", {prediction, lessons::Figure{}, lessons::Experiment{}}, 1});
  lesson.sections.push_back({"Reveal", {lessons::Prose{"Text."}, asked("inf")}, 10});
  lesson.sections.push_back({"Check", {lessons::Figure{}, asked("small")}, 20});
  return lesson;
}

LessonWork done_work() {
  return {.predictions = {1}, .answers = {"inf", "small"}};
}

}  // namespace

void WorkInLessons::workOfAnotherVersionOfTheLessonIsFitted() {
  const lessons::Lesson lesson = three_sections();
  const LessonWork work = fitted({{7, 0, 1}, {"a", "b", "c", "d"}, {}, 50}, lesson);
  QCOMPARE(work.predictions.size(), std::size_t{1});
  QVERIFY(!work.predictions[0].has_value());
  QCOMPARE(work.answers.size(), std::size_t{2});
  QCOMPARE(work.ran.size(), std::size_t{1});
  QCOMPARE(work.opened, lesson.sections.size());
}

void WorkInLessons::aLessonIsDoneWithAllPredictionsAndRightAnswers() {
  const lessons::Lesson lesson = three_sections();
  QVERIFY(!is_lesson_done(lesson, {}));
  QVERIFY(is_lesson_done(lesson, done_work()));  // a wrong prediction is a prediction; nothing was run
  LessonWork work = done_work();
  work.answers[1] = "large";
  QVERIFY(!is_lesson_done(lesson, work));
  QVERIFY(is_answered(lesson, work, 0) && !is_answered(lesson, work, 1) && !is_answered(lesson, work, 2));
  work = done_work();
  work.predictions = {std::nullopt};
  QVERIFY(!is_lesson_done(lesson, work));
  work.predictions = {2};  // an option that the lesson does not have
  QVERIFY(!is_lesson_done(lesson, work));
}

void WorkInLessons::listsThatAreTooShortCountAsNotDone() {
  const lessons::Lesson lesson = three_sections();
  QVERIFY(!is_lesson_done(lesson, {.predictions = {0}, .answers = {"inf"}}));
  QVERIFY(!is_section_open(lesson, {}, 1));
  QVERIFY(is_figure_covered(lesson, {}, 0));
}

void WorkInLessons::aSectionOpensWithTheWorkBeforeItOrBySkip() {
  const lessons::Lesson lesson = three_sections();
  QVERIFY(is_section_open(lesson, {}, 0));
  QVERIFY(is_section_open(lesson, {.predictions = {0}}, 1));
  QVERIFY(!is_section_open(lesson, {.predictions = {0}}, 2));
  QVERIFY(!is_section_open(lesson, {.predictions = {0}, .answers = {"small"}}, 2));
  QVERIFY(is_section_open(lesson, {.predictions = {0}, .answers = {"inf"}}, 2));
  QVERIFY(is_section_open(lesson, {.opened = 2}, 1) && !is_section_open(lesson, {.opened = 2}, 2));
}

void WorkInLessons::aFigureBehindThePredictionIsCovered() {
  lessons::Lesson lesson = three_sections();
  QVERIFY(is_figure_covered(lesson, {}, 0));
  QVERIFY(!is_figure_covered(lesson, {.predictions = {0}}, 0));
  std::swap(lesson.sections[0].blocks[0], lesson.sections[0].blocks[1]);
  QVERIFY(!is_figure_covered(lesson, {}, 0));
  QVERIFY(is_figure_covered(lesson, {}, 1));
}

void WorkInLessons::aFigureOfAClosedSectionIsCovered() {
  const lessons::Lesson lesson = three_sections();
  LessonWork work{.predictions = {0}};
  QVERIFY(is_figure_covered(lesson, work, 1));  // the exercise before it is not answered
  work.answers = {"inf"};
  QVERIFY(!is_figure_covered(lesson, work, 1));
  QVERIFY(!is_figure_covered(lesson, {.opened = 3}, 1));
}

void WorkInLessons::stepsAreThoseOfTheLesson() {
  using Step = lessons::LessonStep;
  const auto done = [](const lessons::Lesson& lesson, const LessonWork& work) {
    std::vector<std::pair<Step, bool>> steps;
    for (const lessons::StepState& each : lesson_steps(lesson, work)) steps.emplace_back(each.step, each.done);
    return steps;
  };
  using Steps = std::vector<std::pair<Step, bool>>;
  lessons::Lesson lesson = three_sections();
  QVERIFY(done(lesson, {}) ==
          (Steps{{Step::kPredict, false}, {Step::kRun, false}, {Step::kReveal, false}, {Step::kCheck, false}}));
  // Skip opens the sections, and completes nothing.
  QVERIFY(done(lesson, {.opened = 3}) == done(lesson, {}));
  QVERIFY(done(lesson, {.predictions = {0}, .answers = {"inf"}, .ran = {true}}) ==
          (Steps{{Step::kPredict, true}, {Step::kRun, true}, {Step::kReveal, true}, {Step::kCheck, false}}));
  lesson.sections[0].blocks.pop_back();  // the experiment
  QVERIFY(done(lesson, done_work()) == (Steps{{Step::kPredict, true}, {Step::kReveal, true}, {Step::kCheck, true}}));
}

void WorkInLessons::blocksAreCountedUpToASection() {
  const lessons::Lesson lesson = three_sections();
  QCOMPARE(lessons::blocks_of<lessons::Exercise>(lesson).size(), std::size_t{2});
  QCOMPARE(lessons::blocks_of<lessons::Exercise>(lesson, 2).size(), std::size_t{1});
  QCOMPARE(lessons::blocks_of<lessons::Exercise>(lesson, 0).size(), std::size_t{0});
  QCOMPARE(lessons::blocks_of<lessons::Figure>(lesson, 9).size(), std::size_t{2});
}

BINADE_SUITE(WorkInLessons);

}  // namespace binade::test

#include "tst_lesson_work.moc"
