// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/lesson.h"
#include "views/lessons/lesson_page.h"

#include <QString>
#include <QStringList>

namespace binade::views {

/// Names of the program's lesson files, in their order.
QStringList lessonFiles();
/// Reads a lesson of the program; fails the test and returns an empty one if it has problems.
lessons::Lesson programLesson(const QString& file);
/// A small lesson: a prediction, a figure, an experiment, a reveal with an exercise, and a check with another one.
const lessons::Lesson& smallLesson();

/// A lesson in a window.
struct ShownLesson {
  LessonPage page;

  explicit ShownLesson(const lessons::Lesson& lesson, const lessons::LessonWork& work = {}, int width = 480);
};

}  // namespace binade::views
