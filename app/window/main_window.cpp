// SPDX-License-Identifier: Apache-2.0
#include "app/window/main_window.h"

#include "app/docks/configuration_dock.h"
#include "app/docks/scale_dock.h"
#include "app/docks/sites_dock.h"
#include "app/form/run_form.h"
#include "app/form/setup_page.h"
#include "app/session/session.h"
#include "app/window/actions.h"
#include "app/window/banner.h"
#include "app/window/observe_menu.h"
#include "app/window/run_bar.h"
#include "app/window/start_page.h"
#include "app/window/status_line.h"
#include "app/window/step_link.h"
#include "views/icons.h"
#include "views/plot/step_axis.h"
#include "views/values/numbers.h"

#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QStackedWidget>

namespace binade::app {

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

// Hides the docks, so that the central page fills the window.
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

void MainWindow::connectSession() {
  connect(session_, &Session::problem, this, &MainWindow::showProblem);
  connect(session_, &Session::problemOver, banner_, &Banner::turnOver);
  connect(session_, &Session::modelInspected, this, &MainWindow::setUp);
  connect(session_, &Session::descriptionOpened, this, &MainWindow::openDescription);
  connect(session_, &Session::resumeOffered, this, [this](qint64 step) {
    banner_->offer(tr("Resume from step %1").arg(views::grouped(step)), [this] { session_->resumeFromCheckpoint(); });
  });
  connect(session_, &Session::busy, status_, &StatusLine::setBusy);
  connect(session_, &Session::opened, this, &MainWindow::openNextFile);
  // The files behind it were meant for the run that is not shown.
  connect(session_, &Session::openFailed, this, [this] { files_to_open_.clear(); });
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
  start_page_->setMachine(welcome.native_float16
                              ? tr("Runs on %1.").arg(QString::fromStdString(welcome.device))
                              : tr("Runs on %1. float16 is emulated with the same rounding; its speed is not measured.")
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
  menuBar()->setCornerWidget(title_);  // set again, because the menu bar does not resize for a longer text
  setWindowTitle(tr("%1[*] — Binade").arg(what));
  setWindowModified(session_->document().isModified());
}

void MainWindow::showProblem(const Problem& problem) {
  if (showsSetup()) return setup_->showProblem(problem);
  if (!session_->run().isEmpty()) configuration_->form()->showProblem(problem);
  banner_->showProblem(problem);
}

}  // namespace binade::app
