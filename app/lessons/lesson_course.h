// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/lessons/lesson_progress.h"
#include "engine/lessons/read_lesson.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

namespace binade::app {

/// A lesson file that was read and checked.
struct LessonEntry {
  QString file;  ///< a path, or the name of a resource
  QString key;   ///< identifies the lesson in the settings
  bool built_in = false;
  /// The problems of a file with at least one: it has no lesson then.
  std::variant<lessons::Lesson, std::vector<lessons::Problem>> content;

  /// Null if the file has problems.
  const lessons::Lesson* lesson() const { return std::get_if<lessons::Lesson>(&content); }
  /// Empty if the file has none.
  std::vector<lessons::Problem> problems() const;
  /// The lesson's title, or the name of a file with problems.
  QString title() const;
};

/// All lessons: the built-in ones in their order, then the files that the user opened. They are read at the first call
/// of a function, within a few hundredths of a second. Besides what read_lesson() checks, the samples of experiments
/// must be known.
class LessonCourse : public QObject {
  Q_OBJECT

 public:
  /// Keeps progress in `settings`, which must outlive the course.
  explicit LessonCourse(QSettings* settings, QObject* parent = nullptr) : QObject(parent), progress_(settings) {}

  const std::vector<LessonEntry>& entries();
  /// Reads a file, again if it is in the list already, and returns its index. A file that cannot be read is listed with
  /// the reason as its problem.
  std::size_t open(const QString& file);
  /// Returns the index of a lesson named on the command line: a number from 1, or a file, which is opened. nullopt for
  /// a number without a lesson.
  std::optional<std::size_t> find(const QString& wanted);
  /// Returns the index of the lesson with this key; nullopt: none.
  std::optional<std::size_t> indexOf(const QString& key);
  std::size_t builtInCount();
  /// Number of built-in lessons that are done.
  std::size_t doneCount();
  LessonProgress& progress() { return progress_; }

 Q_SIGNALS:
  /// A file was added or read again.
  void changed(std::size_t index);

 private:
  void readBuiltIn();

  LessonProgress progress_;
  std::vector<LessonEntry> entries_;
};

/// Reads and checks a lesson file or resource. Never throws.
LessonEntry readLessonFile(const QString& file);

}  // namespace binade::app
