// SPDX-License-Identifier: Apache-2.0
#include "app/main_window.h"

#include "app/actions.h"
#include "app/banner.h"
#include "app/checkpoints_dock.h"
#include "app/configuration_dock.h"
#include "app/events_dock.h"
#include "app/form/run_form.h"
#include "app/form/setup_page.h"
#include "app/gradients_dock.h"
#include "app/log_dock.h"
#include "app/observe_menu.h"
#include "app/run_bar.h"
#include "app/scale_dock.h"
#include "app/series_dock.h"
#include "app/session.h"
#include "app/sites_dock.h"
#include "app/start_page.h"
#include "app/status_line.h"
#include "app/step_link.h"
#include "views/icons.h"
#include "views/plot/step_axis.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QTimer>

namespace binade::app {

namespace {

constexpr auto kGeometryKey = "window/geometry";
constexpr auto kLayoutKey = "window/layouts/%1";
constexpr auto kArrangementKey = "window/arrangement";
constexpr Arrangement kArrangements[] = {Arrangement::kExplore, Arrangement::kTune, Arrangement::kDiagnose,
                                         Arrangement::kProfile};

QString layoutKey(Arrangement which) {
  return QString::fromLatin1(kLayoutKey).arg(arrangementName(which));
}

}  // namespace

MainWindow::MainWindow(Session* session, QSettings* settings, QWidget* parent)
    : QMainWindow(parent),
      session_(session),
      settings_(settings),
      axis_(new views::StepAxis(this)),
      actions_(new Actions(session->undoGroup(), this)),
      pages_(new QStackedWidget),
      start_page_(new StartPage(&session->recentFiles())),
      status_(new StatusLine(session)),
      banner_(new Banner),
      title_(new QLabel),
      policy_menu_(new QMenu(tr("&Policy"), this)),
      observe_menu_(new ObserveMenu(this)) {
  setObjectName(QStringLiteral("mainWindow"));
  setWindowIcon(views::programIcon());
  setAcceptDrops(true);
  setDockNestingEnabled(true);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks | GroupedDragging);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  pages_->addWidget(start_page_);
  setCentralWidget(pages_);
  setStatusBar(status_);

  linkSteps(axis_, &session_->selection(), &session_->run());
  makeDocks();
  makeMenus();
  auto* bar = new RunBar(actions_, session_, policy_menu_, this);
  addToolBar(bar);
  addToolBarBreak();
  auto* notices = new QToolBar(tr("Messages"), this);
  notices->setObjectName(QStringLiteral("notices"));
  notices->setMovable(false);
  notices->setContextMenuPolicy(Qt::PreventContextMenu);
  QAction* shown = notices->addWidget(banner_);
  shown->setVisible(false);
  addToolBar(notices);
  notices->hide();
  banner_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  connect(banner_, &Banner::closed, notices, [notices, shown] {
    shown->setVisible(false);
    notices->hide();
  });
  connect(banner_, &Banner::opened, notices, [notices, shown] {
    shown->setVisible(true);
    notices->show();
  });

  connectActions();
  connectSession();
  connectDocks();
  connectDiagnoseDocks();
  connectSetup();
  updateActions();
  updateTitle();
  updateFormats();
  restoreWindow();
  showStart();
}

MainWindow::~MainWindow() = default;

void MainWindow::makeDocks() {
  RunModel* run = &session_->run();
  Selection* selection = &session_->selection();
  scale_ = new ScaleDock(run, axis_, this);
  loss_ = makeLossDock(run, axis_, this);
  gradients_ = new GradientsDock(run, selection, axis_, this);
  sites_ = new SitesDock(run, &session_->document(), selection, this);
  events_ = new EventsDock(run, selection, this);
  checkpoints_ = new CheckpointsDock(run, this);
  configuration_ = new ConfigurationDock(session_, this);
  docks_ = {scale_,
            loss_,
            makeLearningRateDock(run, axis_, this),
            makeGradientNormDock(run, axis_, this),
            makeStepTimeDock(run, axis_, this),
            gradients_,
            sites_,
            events_,
            checkpoints_,
            configuration_,
            new LogDock(&session_->log(), this)};
  makeDiagnoseDocks();
  for (Dock* dock : docks_) {
    connect(dock, &QDockWidget::visibilityChanged, this,
            [this] { QTimer::singleShot(0, this, &MainWindow::updateTabs); });
    connect(dock, &QDockWidget::topLevelChanged, this,
            [this] { QTimer::singleShot(0, this, &MainWindow::updateTabs); });
    connect(dock, &QDockWidget::dockLocationChanged, this,
            [this] { QTimer::singleShot(0, this, &MainWindow::updateTabs); });
  }
}

void MainWindow::updateTabs() {
  for (Dock* dock : docks_) {
    bool tabbed = false;
    for (const QDockWidget* other : tabifiedDockWidgets(dock)) tabbed |= !other->isHidden() && !other->isFloating();
    dock->setTabbed(tabbed);
  }
}

// The docks go, and what stands in the middle has the window.
void MainWindow::leaveCharts() {
  if (shows_run_) layouts_[arrangement_] = saveState(kLayoutVersion);
  shows_run_ = false;
  for (Dock* dock : docks_) dock->hide();
  pages_->show();
}

void MainWindow::showStart() {
  leaveCharts();
  pages_->setCurrentWidget(start_page_);
  start_page_->setFocus();
  updateActions();
}

void MainWindow::showSetup() {
  leaveCharts();
  pages_->setCurrentWidget(setupPage());
  updateActions();
}

bool MainWindow::showsSetup() const {
  return !shows_run_ && setup_ != nullptr && pages_->currentWidget() == setup_;
}

void MainWindow::showRun() {
  if (shows_run_) return;
  shows_run_ = true;
  pages_->hide();
  restoreArrangement();
  scale_->plot()->setFocus();
  updateActions();
}

void MainWindow::restoreWindow() {
  if (!restoreGeometry(settings_->value(QLatin1String(kGeometryKey)).toByteArray())) {
    resize(QSize(1600, 1000).boundedTo(screen()->availableSize()));
  }
  const QString wanted = settings_->value(QLatin1String(kArrangementKey)).toString();
  for (const Arrangement each : kArrangements) {
    layouts_[each] = settings_->value(layoutKey(each)).toByteArray();
    if (arrangementName(each) == wanted) setArrangement(each);
  }
}

void MainWindow::connectDocks() {
  connect(scale_, &ScaleDock::scaleRequested, session_, &Session::setScale);
  connect(scale_, &ScaleDock::tuneRequested, session_, &Session::tuneScaler);
  connect(checkpoints_, &CheckpointsDock::resumeRequested, session_, &Session::resumeFrom);
  connect(checkpoints_, &CheckpointsDock::keepRequested, session_, &Session::saveCheckpoint);
  connect(checkpoints_, &CheckpointsDock::saveModelRequested, this, &MainWindow::saveModel);
  connect(configuration_, &ConfigurationDock::openRequested, this, &MainWindow::chooseDescription);
  connect(configuration_, &ConfigurationDock::saveRequested, this, &MainWindow::saveDescription);
  connect(configuration_, &ConfigurationDock::startRequested, session_, &Session::startDescribed);
  connect(scale_, &ScaleDock::problem, this, &MainWindow::showProblem);
  connect(gradients_, &GradientsDock::scaleRequested, session_, [this](double scale) { session_->setScale(scale); });
  connect(gradients_, &GradientsDock::observeRequested, session_, &Session::setObserve);
  connect(events_, &EventsDock::eventRequested, session_, &Session::selectEvent);
  connect(sites_, &SitesDock::editableChanged, this, &MainWindow::updateActions);
  // A mark in a chart opens the event of its step.
  const auto open_mark = [this](qint64 step) {
    const auto& events = session_->run().events();
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (events[i].step == step) return session_->selectEvent(static_cast<int>(i));
    }
  };
  connect(scale_->plot(), &views::Plot::markActivated, this, open_mark);
  for (Dock* dock : docks_) {
    if (auto* series = qobject_cast<SeriesDock*>(dock))
      connect(series->plot(), &views::Plot::markActivated, this, open_mark);
  }
}

void MainWindow::connectSession() {
  connect(session_, &Session::problem, this, &MainWindow::showProblem);
  connect(session_, &Session::problemOver, banner_, &Banner::turnOver);
  connect(session_, &Session::modelInspected, this, &MainWindow::setUp);
  connect(session_, &Session::descriptionOpened, this, &MainWindow::openDescription);
  connect(session_, &Session::resumeOffered, this, [this](qint64 step) {
    banner_->offer(tr("Resume from step %1").arg(step), [this] { session_->resumeFromCheckpoint(); });
  });
  connect(session_, &Session::busy, status_, &StatusLine::setBusy);
  connect(&session_->run(), &RunModel::reset, this, [this] {
    if (session_->run().isEmpty()) return showStart();
    showRun();
    if (setup_ != nullptr) setup_->allowStart();
    banner_->dismiss();
    updateTitle();
    updateActions();
  });
  connect(&session_->run(), &RunModel::stateChanged, this, &MainWindow::updateActions);
  connect(&session_->run(), &RunModel::observeChanged, this, &MainWindow::updateActions);
  connect(&session_->document(), &PolicyDocument::titleChanged, this, &MainWindow::updateTitle);
  connect(&session_->engine(), &EngineClient::stateChanged, this, &MainWindow::updateActions);
  connect(&session_->engine(), &EngineClient::ready, this, &MainWindow::updateFormats);
}

void MainWindow::updateFormats() {
  const wire::Welcome& welcome = session_->engine().welcome();
  QStringList emulated;
  if (!welcome.native_float16) emulated << QStringLiteral("float16");
  if (!welcome.native_bfloat16) emulated << QStringLiteral("bfloat16");
  if (!welcome.native_tfloat32) emulated << QStringLiteral("tfloat32");
  emulated << QStringLiteral("float8_e4m3fn") << QStringLiteral("float8_e5m2");
  sites_->setFormats({QStringLiteral("float32"), QStringLiteral("tfloat32"), QStringLiteral("bfloat16"),
                      QStringLiteral("float16"), QStringLiteral("float8_e4m3fn"), QStringLiteral("float8_e5m2")},
                     emulated);
  if (session_->engine().state() != EngineClient::State::kReady) return;
  start_page_->setMachine(
      welcome.native_float16
          ? tr("Runs on %1.").arg(QString::fromStdString(welcome.device))
          : tr("Runs on %1: float16 is emulated, with the same rounding, and no speed is claimed for it.")
                .arg(QString::fromStdString(welcome.device)));
}

void MainWindow::updateTitle() {
  const RunModel& run = session_->run();
  QString what = tr("Welcome");
  if (!run.isEmpty()) {
    QString model = QFileInfo(QString::fromStdString(run.config().model)).fileName();
    if (model.startsWith(QStringLiteral("sample:"))) model = tr("sample %1").arg(model.section(u':', 1));
    what = run.source() == RunModel::Source::kFile
               ? tr("%1 — run file").arg(QFileInfo(run.runFile()).fileName())
               : tr("%1 — %2").arg(model, QString::fromStdString(run.config().name));
  }
  title_->setText(what);
  menuBar()->setCornerWidget(title_);  // laid out anew: the menu bar does not follow a longer text
  setWindowTitle(tr("%1[*] — Binade").arg(what));
  setWindowModified(session_->document().isModified());
}

void MainWindow::showProblem(const Problem& problem) {
  if (showsSetup()) return setup_->showProblem(problem);
  if (!session_->run().isEmpty()) configuration_->form()->showProblem(problem);
  banner_->showProblem(problem);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  QStringList files;
  for (const QUrl& url : event->mimeData()->urls()) {
    if (url.isLocalFile()) files << url.toLocalFile();
  }
  event->acceptProposedAction();
  openFiles(files);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!mayLeavePolicy()) return event->ignore();
  settings_->setValue(QLatin1String(kGeometryKey), saveGeometry());
  if (shows_run_) layouts_[arrangement_] = saveState(kLayoutVersion);
  for (const Arrangement each : kArrangements) {
    if (!layouts_.value(each).isEmpty()) settings_->setValue(layoutKey(each), layouts_.value(each));
  }
  settings_->setValue(QLatin1String(kArrangementKey), arrangementName(arrangement_));
  event->accept();
}

}  // namespace binade::app
