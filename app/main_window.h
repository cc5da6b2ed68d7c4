// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/problem.h"

#include <QByteArray>
#include <QList>
#include <QMainWindow>

class QLabel;
class QSettings;
class QStackedWidget;

namespace binade::views {
class StepAxis;
}
namespace binade::wire {
struct ModelInfo;
struct RunConfig;
}  // namespace binade::wire

namespace binade::app {

class Actions;
class Banner;
class CheckpointsDock;
class ConfigurationDock;
class Dock;
class EventsDock;
class GradientsDock;
class ObserveMenu;
class RunForm;
class ScaleDock;
class SeriesDock;
class Session;
class SetupPage;
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
  CheckpointsDock* checkpointsDock() const { return checkpoints_; }
  ConfigurationDock* configurationDock() const { return configuration_; }
  SetupPage* setupPage() const { return setup_; }
  /// Whether the set-up card stands where the charts will be.
  bool showsSetup() const;
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
  void openDescription(const wire::ModelInfo& model, const wire::RunConfig& config, const QString& file);
  void showSetup();
  void leaveSetup();
  void connectSetup();
  void startFromSetup(bool oneStep);
  void answerForm(RunForm* form);
  void chooseFailedRun();
  void chooseDescription();
  void saveDescription();
  void saveModel();
  void leaveCharts();
  void runDemo();

  Session* session_;
  QSettings* settings_;
  views::StepAxis* axis_;
  Actions* actions_;
  QStackedWidget* pages_;  ///< where there is no run: start page, set-up
  StartPage* start_page_;
  SetupPage* setup_;
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
  CheckpointsDock* checkpoints_ = nullptr;
  ConfigurationDock* configuration_ = nullptr;
  bool failed_run_wanted_ = false;  ///< the model that is being inspected belongs to a run that failed
  bool shows_run_ = false;
  QByteArray layout_;  ///< of the docks, while the start page is shown
};

}  // namespace binade::app
