// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/lesson_work.h"

#include <QString>

#include <cstddef>

class QSettings;

namespace binade::app {

/// Keeps the work in each lesson in the settings. `lesson` is LessonEntry::key.
class LessonProgress {
 public:
  /// `settings` must outlive the progress.
  explicit LessonProgress(QSettings* settings) : settings_(settings) {}

  /// Entries of the settings that cannot be read are left out.
  lessons::LessonWork work(const QString& lesson) const;
  void setWork(const QString& lesson, const lessons::LessonWork& work);
  void setRan(const QString& lesson, std::size_t experiment);
  /// Whether the answer checked last is right.
  bool isAnswered(const QString& lesson, const lessons::Lesson& content, std::size_t exercise) const;
  /// Whether all predictions are made and all answers right. Experiments do not count: they need an engine.
  bool isDone(const QString& lesson, const lessons::Lesson& content) const;

  void resetAll();

  /// The lesson opened last; empty: none.
  QString current() const;
  void setCurrent(const QString& lesson);

 private:
  QSettings* settings_;
};

}  // namespace binade::app
