// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/window/arrangement.h"

#include <QByteArray>
#include <QHash>
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
class CastLedgerDock;
class ComparisonDock;
class GraphDock;
class InspectorDock;
class SilentDock;
class ProfileDock;
class QuestionsDock;
class TensorDock;
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

/// The window: start page, or docks around a run. Creates the parts and connects actions; behaviour is in the parts'
/// own classes.
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
  /// The page is made at the first call.
  SetupPage* setupPage();
  /// Whether the set-up page is shown in place of the charts.
  bool showsSetup() const;
  StartPage* startPage() const { return start_page_; }
  StatusLine* statusLine() const { return status_; }
  Banner* banner() const { return banner_; }
  views::StepAxis* stepAxis() const { return axis_; }
  bool showsRun() const { return shows_run_; }
  QuestionsDock* questionsDock() const { return questions_; }
  InspectorDock* inspectorDock() const { return inspector_; }
  ComparisonDock* comparisonDock() const { return comparison_; }
  CastLedgerDock* castLedgerDock() const { return casts_; }
  TensorDock* tensorDock() const { return tensor_; }
  ProfileDock* profileDock() const { return profile_; }
  GraphDock* graphDock() const { return graph_; }
  SilentDock* silentDock() const { return silent_; }
  Arrangement arrangement() const { return arrangement_; }

 public Q_SLOTS:
  void showStart();
  void showRun();
  /// Restores the default layout of the current arrangement.
  void restoreDefaultLayout();
  /// Shows an arrangement with the layout in which the user left it.
  void setArrangement(binade::app::Arrangement which);
  /// Opens files one after the other, in place of those that are still being opened.
  void openFiles(const QStringList& files);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  static constexpr int kLayoutVersion = 5;  ///< of the docks' layout; saved layouts of other versions are ignored

  void makeDocks();
  void makeDiagnoseDocks();
  void connectDiagnoseDocks();
  void restoreArrangement();
  static void raiseDock(Dock* dock);
  void makeMenus();
  void fillFileMenu();
  void fillPolicyMenu();
  void fillViewMenu();
  void fillRecentMenu(QMenu* menu);
  void connectActions();
  void connectFileActions();
  void connectRunActions();
  void connectFormatActions();
  void connectViewActions();
  void connectStartPage();
  void connectSession();
  void connectDocks();
  void updateActions();
  void updateTitle();
  void updateTabs();
  void updateFormats();
  void restoreWindow();
  void chooseFile();
  void openNextFile();
  void chooseObserved();
  bool savePolicy(bool choose);
  /// Asks about unsaved policy edits. Returns false if the user cancels.
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
  void exportPolicy();
  void leaveCharts();
  void runDemo();

  Session* session_;
  QSettings* settings_;
  views::StepAxis* axis_;
  Actions* actions_;
  QStackedWidget* pages_;  ///< without a run: start page, set-up
  StartPage* start_page_;
  SetupPage* setup_ = nullptr;  ///< null until `setupPage()` is called
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
  QStringList files_to_open_;
  bool failed_run_wanted_ = false;  ///< the model being inspected belongs to a run that failed
  bool shows_run_ = false;
  QuestionsDock* questions_ = nullptr;
  InspectorDock* inspector_ = nullptr;
  ComparisonDock* comparison_ = nullptr;
  CastLedgerDock* casts_ = nullptr;
  TensorDock* tensor_ = nullptr;
  ProfileDock* profile_ = nullptr;
  GraphDock* graph_ = nullptr;
  SilentDock* silent_ = nullptr;
  Arrangement arrangement_ = Arrangement::kExplore;
  QHash<Arrangement, QByteArray> layouts_;  ///< of the docks, when last shown
};

}  // namespace binade::app
