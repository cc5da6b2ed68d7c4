// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window/lesson_shelf.h"

#include <QList>
#include <QWidget>

#include <functional>
#include <utility>
#include <vector>

class QAction;
class QLabel;
class QTableView;

namespace binade::app {

class RecentFiles;

/// The window's content before there is a run: four entries (keys 1 to 4, Return runs the demo), recently opened
/// files, an area to drop files, and the lessons (key 5).
class StartPage : public QWidget {
  Q_OBJECT

 public:
  /// Reads the lessons. Called after the page has been painted, since it takes some hundredths of a second.
  using Lessons = std::function<std::vector<LessonShelf::Lesson>()>;

  /// `recent` must outlive the page.
  explicit StartPage(RecentFiles* recent, QWidget* parent = nullptr);

  /// The actions of the entries and, last, of the lessons, for the shortcuts dialog. Enabled while the page is shown.
  const QList<QAction*>& doors() const { return doors_; }
  /// Sets the source of the lessons, which is asked each time the page is shown.
  void setLessons(Lessons lessons) { lessons_ = std::move(lessons); }
  /// Whether the lessons have been read.
  bool hasLessons() const { return has_lessons_; }
  /// Sets a sentence about the computer at the bottom of the page.
  void setMachine(const QString& sentence);

 Q_SIGNALS:
  void demoRequested();
  void openRequested();
  void failedRunRequested();
  void connectRequested();
  void lessonsRequested();
  /// The lessons have been read and are shown.
  void lessonsShown();
  /// Counted from 1.
  void lessonRequested(int number);
  void fileRequested(const QString& file);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  struct Door {
    QString icon;
    QString title;
    QString text;
    QString button;
    QString note;
  };
  QWidget* makeDoor(int number, const Door& door, QAction* action);
  QWidget* makeDoors();
  QWidget* makeRecent();
  QWidget* makeDropHint();
  QAction* addDoor(const QString& title);
  void fitRecent();

  RecentFiles* recent_;
  QTableView* recent_table_;
  QWidget* no_recent_;
  QWidget* clear_;
  QLabel* machine_;
  QList<QAction*> doors_;
  Lessons lessons_;
  bool has_lessons_ = false;
  LessonShelf* shelf_ = nullptr;
};

}  // namespace binade::app
