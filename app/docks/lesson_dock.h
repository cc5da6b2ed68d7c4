// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "engine/lessons/lesson.h"

#include <cstddef>
#include <optional>

class QPlainTextEdit;
class QStackedWidget;
class QTabBar;

namespace binade::lessons {
struct LessonWork;
}

namespace binade::views {
class LessonList;
class LessonPage;
}  // namespace binade::views

namespace binade::app {

class LessonCourse;
class LessonRun;
struct LessonEntry;

/// The list of lessons, or one lesson: its text, questions and experiments, or the problems of its file. Keeps the
/// progress in the course. Needs neither a run nor an engine.
class LessonDock : public Dock {
  Q_OBJECT

 public:
  /// `course` must outlive the dock.
  explicit LessonDock(LessonCourse* course, QWidget* parent = nullptr);

  /// List and page are made when the dock is first shown, or at the first call.
  views::LessonList* list();
  views::LessonPage* page();

  /// Index of the shown lesson; nullopt: the list is shown.
  std::optional<std::size_t> shown() const { return lists_ ? std::nullopt : shown_; }
  /// The shown lesson; null: the list is shown.
  const LessonEntry* entry() const;
  /// Index of the first lesson that is not done; nullopt: all are.
  std::optional<std::size_t> next() const;
  /// The problems of the shown file, as `FILE:LINE: message hint`; empty if it has none.
  QStringList shownProblems() const;

 public Q_SLOTS:
  void showLesson(std::size_t index);
  void showList();
  /// Notes that the figure beside the text is none of the lesson's any more.
  void releaseFigure();
  /// Shows the covered figure of the shown lesson without its prediction.
  void uncoverFigure();
  /// Shows the state of an experiment of the shown lesson.
  void showRun(std::size_t experiment, const binade::app::LessonRun& run);

 Q_SIGNALS:
  /// The list was filled anew.
  void listed();
  /// Another lesson, or the list, is shown.
  void shownChanged();
  /// Predictions, answers or experiments changed, or all were reset.
  void progressChanged();
  /// This figure belongs to the block that is read now.
  void figureRequested(const binade::lessons::Figure& figure);
  /// This figure belongs there, but is not to be seen before the prediction or, if all are made, an exercise.
  void figureCovered(const binade::lessons::Figure& figure, bool predicted);
  /// The lesson has no figure here.
  void noFigure(const QString& headline, const QString& sentence);
  void runRequested(std::size_t experiment);
  /// The user wants to see the figure of the experiment that was run last.
  void runFigureRequested();
  void runCancelled();
  /// The user wants to open the file of a lesson.
  void openRequested();

 private:
  void make();
  QWidget* makeListPage();
  QWidget* makeProblemPage();
  void showEntry();
  void showProblems(const LessonEntry& entry);
  void fillList();
  void keep(const lessons::LessonWork& work);
  void askReset();

  LessonCourse* course_;
  std::optional<std::size_t> shown_;  ///< the lesson; nullopt: none has been shown yet
  bool lists_ = true;                 ///< the list is in front
  QTabBar* tabs_ = nullptr;           ///< null until make(), like all below
  QStackedWidget* pages_ = nullptr;
  views::LessonList* list_ = nullptr;
  views::LessonPage* page_ = nullptr;
  QWidget* list_page_ = nullptr;
  QWidget* problem_page_ = nullptr;
  QLabel* problem_head_ = nullptr;
  QPlainTextEdit* problems_ = nullptr;
};

}  // namespace binade::app
