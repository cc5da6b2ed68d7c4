// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window/arrangement.h"

#include <QMainWindow>

class QSettings;
class QStackedWidget;

namespace binade::views {
class StepAxis;
}

namespace binade::app {

class Actions;
class AttachFlow;
class Banner;
class BannerQuestions;
class DockLayouts;
class DockSet;
class EventZoom;
class FileOpener;
class FileSaver;
class LessonCourse;
class LessonFlow;
class MenuBar;
class PolicyImport;
class PolicySimplifier;
class Session;
class SetupFlow;
class SetupPage;
class StartPage;
class StatusLine;
class TimeLineBar;
class WindowDialogs;
struct Problem;

/// The window: start page, set-up page, or docks around a run. Creates the parts, connects them, and decides which of
/// the three is shown; other behaviour is in the parts' own classes.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// Both must outlive the window.
  MainWindow(Session* session, QSettings* settings, QWidget* parent = nullptr);
  ~MainWindow() override;

  Actions* actions() const { return actions_; }
  DockSet* docks() const { return docks_; }
  StartPage* startPage() const { return start_page_; }
  /// The page is made at the first call.
  SetupPage* setupPage();
  StatusLine* statusLine() const { return status_; }
  TimeLineBar* timeLine() const { return time_line_; }
  Banner* banner() const { return banner_; }
  BannerQuestions* questions() const { return questions_; }
  MenuBar* menus() const { return menus_; }
  WindowDialogs* dialogs() const { return dialogs_; }
  LessonFlow* lessons() const { return lessons_; }
  AttachFlow* attach() const { return attach_; }
  views::StepAxis* stepAxis() const { return axis_; }
  bool showsRun() const;
  /// Whether the set-up page is shown in place of the charts.
  bool showsSetup() const;
  Arrangement arrangement() const;

 public Q_SLOTS:
  void showStart();
  void showRun();
  /// Restores the default layout of the current arrangement.
  void restoreDefaultLayout();
  /// Shows an arrangement with the layout in which the user left it.
  void setArrangement(binade::app::Arrangement which);
  /// Opens a lesson by its number, or a file, in the arrangement Learn.
  void openLesson(const QString& wanted);
  /// Opens files one after the other, in place of those that are still being opened.
  void openFiles(const QStringList& files);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void connectFileActions();
  void connectRunActions();
  void connectViewActions();
  void connectStartPage();
  void connectSession();
  void connectDocks();
  void connectSetup();
  void connectLessons();
  void connectDialogs();
  void updateActions();
  void updateTitle();
  void updateTimeLine();
  void updateMachine();
  void showPages();
  void showSetup();
  void showProblem(const Problem& problem);
  void showOwnComparison();

  Session* session_;
  QSettings* settings_;
  views::StepAxis* axis_;
  Actions* actions_;
  QStackedWidget* pages_;  ///< without a run: start page, set-up
  StartPage* start_page_;
  StatusLine* status_;
  TimeLineBar* time_line_;
  Banner* banner_;
  FileSaver* saver_;
  PolicyImport* import_;
  PolicySimplifier* simplifier_;
  FileOpener* opener_;
  SetupFlow* setup_;
  LessonCourse* course_;
  DockSet* docks_ = nullptr;
  LessonFlow* lessons_ = nullptr;
  MenuBar* menus_ = nullptr;
  DockLayouts* layouts_ = nullptr;
  EventZoom* event_zoom_ = nullptr;
  WindowDialogs* dialogs_ = nullptr;
  BannerQuestions* questions_ = nullptr;
  AttachFlow* attach_ = nullptr;
};

}  // namespace binade::app
