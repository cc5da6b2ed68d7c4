// SPDX-License-Identifier: Apache-2.0
// The window's docks: which there are, and what their requests do.
#include "app/docks/cast_ledger_dock.h"
#include "app/docks/checkpoints_dock.h"
#include "app/docks/comparison_dock.h"
#include "app/docks/configuration_dock.h"
#include "app/docks/device_dock.h"
#include "app/docks/events_dock.h"
#include "app/docks/gradients_dock.h"
#include "app/docks/graph_dock.h"
#include "app/docks/inspector_dock.h"
#include "app/docks/log_dock.h"
#include "app/docks/profile_dock.h"
#include "app/docks/questions_dock.h"
#include "app/docks/scale_dock.h"
#include "app/docks/series_dock.h"
#include "app/docks/silent_dock.h"
#include "app/docks/sites_dock.h"
#include "app/docks/tensor_dock.h"
#include "app/docks/updates_dock.h"
#include "app/present/comparison_rows.h"
#include "app/present/tensor_choices.h"
#include "app/session/session.h"
#include "app/window/actions.h"
#include "app/window/banner.h"
#include "app/window/main_window.h"

#include <QActionGroup>
#include <QTimer>

namespace binade::app {

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

void MainWindow::connectDocks() {
  connect(scale_, &ScaleDock::scaleRequested, session_, &Session::setScale);
  connect(scale_, &ScaleDock::tuneRequested, session_, &Session::tuneScaler);
  connect(checkpoints_, &CheckpointsDock::resumeRequested, session_, &Session::resumeFrom);
  connect(checkpoints_, &CheckpointsDock::saveRequested, session_, &Session::saveCheckpoint);
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
    if (!comparison_->visibleRegion().isEmpty()) return;  // it shows there already
    const RunModel& run = session_->run();
    const bool shown = banner_->showNotice(
        comparisonText(run, *run.comparison()),
        tr("The run made this comparison automatically, to determine whether lost values affect the result."));
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

void MainWindow::updateTabs() {
  for (Dock* dock : docks_) {
    bool tabbed = false;
    for (const QDockWidget* other : tabifiedDockWidgets(dock)) tabbed |= !other->isHidden() && !other->isFloating();
    dock->setTabbed(tabbed);
  }
}

}  // namespace binade::app
