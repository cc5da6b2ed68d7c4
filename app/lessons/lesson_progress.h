// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

class QSettings;

namespace binade::lessons {
struct Lesson;
}

namespace binade::app {

/// What a person has done in a lesson. Blocks of each kind count from 0 in the order of the lesson. Lists may be
/// shorter than the lesson, whose file may have changed.
struct LessonWork {
  std::vector<std::optional<std::size_t>> predictions{};  ///< the chosen options
  std::vector<std::string> answers{};                     ///< checked last, right or wrong; empty: none
  std::vector<bool> ran{};                                ///< experiments that ended
  std::size_t opened = 0;                                 ///< sections before this one were opened without the work

  friend bool operator==(const LessonWork&, const LessonWork&) = default;
};

/// Keeps the work in each lesson in the settings. `lesson` is LessonEntry::key.
class LessonProgress {
 public:
  /// `settings` must outlive the progress.
  explicit LessonProgress(QSettings* settings) : settings_(settings) {}

  /// Entries of the settings that cannot be read are left out.
  LessonWork work(const QString& lesson) const;
  void setWork(const QString& lesson, const LessonWork& work);
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
