// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <cstddef>
#include <optional>

class QSettings;

namespace binade::lessons {
struct Lesson;
}

namespace binade::app {

/// What a person has done in each lesson: predictions, experiments and right answers, counted from 0 in the order of
/// the lesson. Kept in the settings. `lesson` is LessonEntry::key.
class LessonProgress {
 public:
  /// `settings` must outlive the progress.
  explicit LessonProgress(QSettings* settings) : settings_(settings) {}

  /// The option chosen in a prediction; nullopt: none yet.
  std::optional<std::size_t> prediction(const QString& lesson, std::size_t index) const;
  void setPrediction(const QString& lesson, std::size_t index, std::size_t option);
  /// Whether an experiment has ended.
  bool hasRun(const QString& lesson, std::size_t index) const;
  void setRun(const QString& lesson, std::size_t index);
  /// The right answer as it was typed; nullopt: not answered yet.
  std::optional<QString> answer(const QString& lesson, std::size_t index) const;
  void setAnswer(const QString& lesson, std::size_t index, const QString& text);
  /// Whether all predictions are made and all exercises answered. Experiments do not count: they need an engine.
  bool isDone(const QString& lesson, const lessons::Lesson& content) const;

  void reset(const QString& lesson);
  void resetAll();

  /// The lesson opened last; empty: none.
  QString current() const;
  void setCurrent(const QString& lesson);

 private:
  QSettings* settings_;
};

}  // namespace binade::app
