// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/lessons/lesson_run.h"
#include "app/model/problem.h"

#include <QObject>
#include <QString>

#include <cstddef>

class QWidget;

namespace binade::app {

class Dock;
class DockSet;
class FileSaver;
class LessonCourse;
struct LessonEntry;

/// Lessons in the window: opens them, runs their experiments in the session and shows the charts that belong to them,
/// covers a verdict that the student is to find, and exports a lesson or a figure.
class LessonFlow : public QObject {
  Q_OBJECT

 public:
  /// All must outlive `window`, the parent of this object and of its dialogs.
  LessonFlow(Session* session, LessonCourse* course, DockSet* docks, FileSaver* saver, QWidget* window);

  /// Opens a lesson by its number, or a file. Emits problem() for a number without a lesson.
  void open(const QString& wanted);
  /// `Lesson 5: Gradients that vanish`; empty while the list is shown.
  QString title() const;
  /// Number of built-in lessons.
  std::size_t count() const;
  /// `4 of 11 lessons done`.
  QString progressText() const;
  /// Whether a lesson without problems is shown.
  bool canExport() const;
  /// Whether the verdict on the run is covered: an exercise of the lesson asks for it.
  bool coversVerdict() const { return covers_; }
  LessonRun* run() const { return run_; }

 public Q_SLOTS:
  /// Shows the lesson opened last, or the first one.
  void begin();
  /// Shows the list of lessons.
  void showList();
  /// Asks for a file and writes the lesson to it.
  void exportHtml();
  /// Asks for a file and writes the figure in the dock to it, as it is shown now.
  void exportFigure();

 Q_SIGNALS:
  /// A file was written.
  void written(const QString& message, const QString& hint);
  /// A lesson or the list is to be shown.
  void entered();
  /// Title, progress or canExport() changed.
  void changed();
  void problem(const binade::app::Problem& problem);

 private:
  void startRun(std::size_t index);
  bool mayReplaceRun();
  void openFile();
  void onRunChanged();
  void onRunEnded();
  void onProgress();
  void showRunState();
  void showRunFigure();
  void placeCaption();
  void fillRunFigure();
  void onSlider(double value);
  bool isRunBeside() const;
  void raiseCharts();
  void chooseTensorWithValues();
  void coverVerdict(bool cover);
  void writeHtml(const QString& file, const QString& html, const QString& what);
  bool isVerdictAsked() const;
  const LessonEntry* entry() const;

  Session* session_;
  LessonCourse* course_;
  DockSet* docks_;
  FileSaver* saver_;
  QWidget* window_;
  LessonRun* run_;
  QString figure_lesson_;          ///< title() of the lesson shown last, to which the figure in the dock belongs
  QString run_lesson_;             ///< key of the lesson whose experiment was started last
  std::size_t run_index_ = 0;      ///< of that experiment
  bool charts_due_ = false;        ///< the charts of the training that begins have not been raised yet
  bool tensor_due_ = false;        ///< the heat map of the training that begins has not got its tensor yet
  bool shows_run_figure_ = false;  ///< the figure dock shows that of the experiment
  bool lesson_in_sight_ = false;   ///< the lesson's dock is shown
  bool covers_ = false;
};

}  // namespace binade::app
