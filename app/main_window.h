// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/problem.h"

#include <QByteArray>
#include <QList>
#include <QMainWindow>

class QLabel;
class QSettings;

namespace binade::views {
class StepAxis;
}
namespace binade::wire {
struct ModelInfo;
}

namespace binade::app {

class Actions;
class Banner;
class Dock;
class EventsDock;
class GradientsDock;
class ObserveMenu;
class ScaleDock;
class SeriesDock;
class Session;
class SetupDialog;
class SitesDock;
class StartPage;
class StatusLine;

/// The one window: start page, or docks around a run. Puts parts together and connects actions; what a part does is
/// in its own class.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// Both must outlive the window.
  MainWindow(Session* session, QSettings* settings, QWidget* parent = nullptr);
  ~MainWindow() override;

  Actions* actions() const { return actions_; }
  const QList<Dock*>& docks() const { return docks_; }
  SitesDock* sitesDock() const { return sites_; }
  EventsDock* eventsDock() const { return events_; }
  GradientsDock* gradientsDock() const { return gradients_; }
  ScaleDock* scaleDock() const { return scale_; }
  SeriesDock* lossDock() const { return loss_; }
  StartPage* startPage() const { return start_page_; }
  StatusLine* statusLine() const { return status_; }
  Banner* banner() const { return banner_; }
  views::StepAxis* stepAxis() const { return axis_; }
  bool showsRun() const { return shows_run_; }

 public Q_SLOTS:
  void showStart();
  void showRun();
  void restoreDefaultLayout();
  void openFiles(const QStringList& files);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void makeDocks();
  void makeMenus();
  void fillFileMenu();
  void fillPolicyMenu();
  void fillViewMenu();
  void fillRecentMenu(QMenu* menu);
  void connectActions();
  void connectSession();
  void connectDocks();
  void updateActions();
  void updateTitle();
  void updateTabs();
  void updateFormats();
  void applyStyle();
  void restoreWindow();
  void chooseFile();
  bool savePolicy(bool choose);
  /// Asks about unsaved policy edits; false where the person would rather stay.
  bool mayLeavePolicy();
  void showProblem(const Problem& problem);
  void setUp(const wire::ModelInfo& model);
  void runDemo();

  Session* session_;
  QSettings* settings_;
  views::StepAxis* axis_;
  Actions* actions_;
  StartPage* start_page_;
  StatusLine* status_;
  Banner* banner_;
  QLabel* title_;
  QMenu* policy_menu_;
  ObserveMenu* observe_menu_;
  QList<Dock*> docks_;
  ScaleDock* scale_ = nullptr;
  SeriesDock* loss_ = nullptr;
  GradientsDock* gradients_ = nullptr;
  SitesDock* sites_ = nullptr;
  EventsDock* events_ = nullptr;
  SetupDialog* setup_ = nullptr;
  bool shows_run_ = false;
  QByteArray layout_;  ///< of the docks, while the start page is shown
};

}  // namespace binade::app
