// SPDX-License-Identifier: Apache-2.0
// The window's arrangements of docks, and the requests of docks.
#include "app/docks/cast_ledger_dock.h"
#include "app/docks/comparison_dock.h"
#include "app/docks/device_dock.h"
#include "app/docks/events_dock.h"
#include "app/docks/graph_dock.h"
#include "app/docks/inspector_dock.h"
#include "app/docks/profile_dock.h"
#include "app/docks/questions_dock.h"
#include "app/docks/silent_dock.h"
#include "app/docks/sites_dock.h"
#include "app/docks/tensor_dock.h"
#include "app/docks/updates_dock.h"
#include "app/present/comparison_rows.h"
#include "app/present/diagnose_answers.h"
#include "app/present/tensor_choices.h"
#include "app/session/session.h"
#include "app/window/actions.h"
#include "app/window/banner.h"
#include "app/window/main_window.h"

#include <QActionGroup>
#include <QTimer>

namespace binade::app {

void MainWindow::makeDiagnoseDocks() {
  RunModel* run = &session_->run();
  Selection* selection = &session_->selection();
  questions_ = new QuestionsDock(run, this);
  inspector_ = new InspectorDock(run, selection, this);
  comparison_ = new ComparisonDock(run, selection, this);
  casts_ = new CastLedgerDock(run, selection, this);
  tensor_ = new TensorDock(run, axis_, this);
  profile_ = new ProfileDock(run, selection, this);
  graph_ = new GraphDock(run, selection, this);
  silent_ = new SilentDock(run, selection, this);
  docks_ << questions_ << inspector_ << comparison_ << casts_ << tensor_ << new DeviceDock(run, this) << profile_
         << graph_ << silent_ << new UpdatesDock(run, selection, this);
}

void MainWindow::connectDiagnoseDocks() {
  const auto show_site = [this](int site) {
    session_->selection().setSites({site});
    raiseDock(sites_);
  };
  connect(questions_, &QuestionsDock::eventRequested, this, [this](int index) {
    session_->selectEvent(index);
    raiseDock(inspector_);
  });
  connect(questions_, &QuestionsDock::stepRequested, this,
          [this](qint64 step) { session_->selection().setStep(step); });
  connect(questions_, &QuestionsDock::siteRequested, this, [this, show_site](int site) {
    show_site(site);
    if (session_->run().comparison()) raiseDock(comparison_);
  });
  connect(questions_, &QuestionsDock::faultRequested, this, [this](int index) {
    raiseDock(silent_);
    silent_->showFault(index);
  });
  connect(inspector_, &InspectorDock::siteRequested, this, [this](int site) {
    session_->selection().setSites({site});
    const int tensor = chartTensorOf(session_->run(), site);
    if (tensor >= 0) session_->selection().setTensor(tensor);
  });
  connect(inspector_, &InspectorDock::fixRequested, session_, &Session::applyFix);
  connect(casts_, &CastLedgerDock::fixRequested, session_, &Session::applyFix);
  connect(silent_, &SilentDock::fixRequested, session_, &Session::applyFix);
  const auto compare = [this] {
    session_->compareWithFloat32();
    raiseDock(comparison_);
  };
  connect(questions_, &QuestionsDock::comparisonRequested, this, compare);
  connect(inspector_, &InspectorDock::comparisonRequested, this, compare);
  connect(events_, &EventsDock::comparisonRequested, this, compare);
  connect(silent_, &SilentDock::comparisonRequested, this, compare);
  connect(comparison_, &ComparisonDock::comparisonRequested, this, compare);
  connect(actions_->compare, &QAction::triggered, this, compare);
  connect(session_, &Session::comparing, comparison_, &ComparisonDock::setWaiting);
  connect(session_, &Session::comparedByItself, this, [this] {
    if (!comparison_->visibleRegion().isEmpty()) return;  // the dock already shows it
    const RunModel& run = session_->run();
    const bool shown =
        banner_->showNotice(comparisonText(run, *run.comparison()),
                            tr("The run compared it by itself, to tell whether values that may be lost are missed."));
    if (shown) banner_->offer(tr("Show the comparison"), [this] { raiseDock(comparison_); });
  });
  connect(profile_, &ProfileDock::profilingRequested, session_, &Session::setProfiling);
  connect(tensor_, &TensorDock::openRequested, this, &MainWindow::chooseFile);
  connect(tensor_, &TensorDock::lookAgainRequested, session_, [this] { session_->setProfiling(true); });
  connect(actions_->arrangements, &QActionGroup::triggered, this,
          [this](QAction* action) { setArrangement(static_cast<Arrangement>(action->data().toInt())); });
}

void MainWindow::raiseDock(Dock* dock) {
  dock->show();
  dock->raise();
}

void MainWindow::setArrangement(Arrangement which) {
  for (QAction* action : actions_->arrangements->actions()) {
    if (action->data().toInt() == static_cast<int>(which)) action->setChecked(true);
  }
  if (which != arrangement_) {
    if (shows_run_) layouts_[arrangement_] = saveState(kLayoutVersion);
    arrangement_ = which;
    if (shows_run_) restoreArrangement();
  }
  if (!shows_run_ && !session_->run().isEmpty()) showRun();
  // Diagnose opens with the last non-finite event, unless an event is selected.
  if (which == Arrangement::kDiagnose && session_->selection().event() < 0)
    session_->selectEvent(nonFiniteAnswer(session_->run()).event);
  // Profile needs measurements: it starts profiling, which can be switched off.
  const RunModel& run = session_->run();
  if (which == Arrangement::kProfile && run.isActive() && run.config().profile.level == "off")
    session_->setProfiling(true);
}

void MainWindow::restoreArrangement() {
  const QByteArray kept = layouts_.value(arrangement_);
  if (kept.isEmpty() || !restoreState(kept, kLayoutVersion)) restoreDefaultLayout();
  QTimer::singleShot(0, this, &MainWindow::updateTabs);
}

void MainWindow::restoreDefaultLayout() {
  arrange(this, docks_, arrangement_);
  QTimer::singleShot(0, this, &MainWindow::updateTabs);
}

}  // namespace binade::app
