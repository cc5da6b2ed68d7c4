// SPDX-License-Identifier: Apache-2.0
#include "app/window/dock_set.h"

#include "app/docks/cast_ledger_dock.h"
#include "app/docks/changes_dock.h"
#include "app/docks/checkpoints_dock.h"
#include "app/docks/comparison_dock.h"
#include "app/docks/configuration_dock.h"
#include "app/docks/device_dock.h"
#include "app/docks/edits_dock.h"
#include "app/docks/events_dock.h"
#include "app/docks/figure_dock.h"
#include "app/docks/gradients_dock.h"
#include "app/docks/graph_dock.h"
#include "app/docks/history_dock.h"
#include "app/docks/inspector_dock.h"
#include "app/docks/lesson_dock.h"
#include "app/docks/log_dock.h"
#include "app/docks/notes_dock.h"
#include "app/docks/numbers_dock.h"
#include "app/docks/profile_dock.h"
#include "app/docks/quantized_dock.h"
#include "app/docks/questions_dock.h"
#include "app/docks/ranks_dock.h"
#include "app/docks/savings_view.h"
#include "app/docks/scale_dock.h"
#include "app/docks/search_dock.h"
#include "app/docks/second_run_dock.h"
#include "app/docks/series_dock.h"
#include "app/docks/silent_dock.h"
#include "app/docks/sites_dock.h"
#include "app/docks/tensor_dock.h"
#include "app/docks/try_choices.h"
#include "app/docks/try_dock.h"
#include "app/docks/updates_dock.h"
#include "app/docks/what_if_dock.h"
#include "app/lessons/lesson_course.h"
#include "app/present/tensor_choices.h"
#include "app/session/session.h"
#include "views/plot/line_plot.h"

#include <QAction>
#include <QMainWindow>
#include <QTimer>

#include <algorithm>

namespace binade::app {

DockSet::DockSet(Session* session, views::StepAxis* axis, LessonCourse* course, QMainWindow* window)
    : QObject(window), session_(session), axis_(axis), window_(window) {
  makeDocks();
  makeDiagnoseDocks();
  makeLearnDocks(course);
  for (Dock* dock : all_) {
    connect(dock, &QDockWidget::visibilityChanged, this, &DockSet::updateTabsLater);
    connect(dock, &QDockWidget::topLevelChanged, this, &DockSet::updateTabsLater);
    connect(dock, &QDockWidget::dockLocationChanged, this, &DockSet::updateTabsLater);
    connect(dock, &Dock::numberRequested, this, [this](const views::PickedNumber& number) {
      numbers->look(number);
      raise(numbers);
    });
  }
  connectDocks();
  connectQuestions();
  connectDiagnoseDocks();
  connectGraph();
  connectTries();
  connectHistory();
  connectSearch();
  connectSecondRun();
  connectRanks();
  connect(&session_->engine(), &EngineClient::ready, this, &DockSet::updateFormats);
  updateFormats();
}

void DockSet::makeDocks() {
  RunModel* run = &session_->run();
  Selection* selection = &session_->selection();
  scale = new ScaleDock(run, axis_, window_);
  loss = makeLossDock(run, axis_, window_);
  gradients = new GradientsDock(run, selection, axis_, window_);
  sites = new SitesDock(run, &session_->document(), selection, window_);
  events = new EventsDock(run, selection, window_);
  checkpoints = new CheckpointsDock(run, window_);
  configuration = new ConfigurationDock(session_, window_);
  log = new LogDock(&session_->log(), window_);
  all_ = {scale,
          loss,
          makeLearningRateDock(run, axis_, window_),
          makeGradientNormDock(run, axis_, window_),
          makeStepTimeDock(run, selection, axis_, window_),
          gradients,
          sites,
          events,
          checkpoints,
          configuration,
          log};
}

void DockSet::makeDiagnoseDocks() {
  RunModel* run = &session_->run();
  Selection* selection = &session_->selection();
  questions = new QuestionsDock(run, window_);
  inspector = new InspectorDock(run, selection, window_);
  comparison = new ComparisonDock(run, selection, window_);
  cast_ledger = new CastLedgerDock(run, selection, window_);
  quantized = new QuantizedDock(run, selection, window_);
  what_if = new WhatIfDock(run, selection, window_);
  tensor = new TensorDock(run, axis_, window_);
  tensor->addRankChoice(selection);
  profile = new ProfileDock(run, selection, window_);
  graph = new GraphDock(run, selection, window_);
  silent = new SilentDock(run, selection, window_);
  tries = new TryDock(session_, window_);
  history = new HistoryDock(run, &session_->document(), selection, window_);
  edits = new EditsDock(run, &session_->document(), &session_->description(), window_);
  changes = new ChangesDock(run, &session_->document(), selection, window_);
  search = new SearchDock(session_, window_);
  second_run = new SecondRunDock(run, &session_->second(), selection, window_);
  notes = new NotesDock(run, axis_, window_);
  connect(notes, &NotesDock::problem, session_, &Session::problem);
  numbers = new NumbersDock(window_);
  ranks = new RanksDock(run, selection, axis_, window_);
  all_ << questions << inspector << comparison << cast_ledger << tensor << new DeviceDock(run, window_) << profile
       << graph << silent << new UpdatesDock(run, selection, window_) << quantized << what_if << numbers << tries
       << history << search << notes << second_run << edits << changes << ranks;
}

void DockSet::makeLearnDocks(LessonCourse* course) {
  lesson = new LessonDock(course, window_);
  figure = new FigureDock(window_);
  all_ << lesson << figure;
  connect(lesson, &LessonDock::figureRequested, this, [this](const lessons::Figure& wanted) {
    figure->showFigure(wanted);
    if (!lesson->isHidden()) raise(figure);
  });
  connect(lesson, &LessonDock::figureCovered, this, [this](const lessons::Figure& /*wanted*/, bool predicted) {
    figure->showCovered(predicted);
    if (!lesson->isHidden()) raise(figure);
  });
  connect(figure, &FigureDock::uncoverRequested, lesson, &LessonDock::uncoverFigure);
  connect(lesson, &LessonDock::noFigure, figure, &FigureDock::showNothing);
  connect(lesson, &LessonDock::listed, this, [this, course] {
    const auto next = lesson->next();
    figure->offerLesson(next ? course->entries()[*next].title() : QString());
  });
}

void DockSet::connectDocks() {
  connect(scale, &ScaleDock::scaleRequested, session_, &Session::setScale);
  connect(scale, &ScaleDock::tuneRequested, session_, &Session::tuneScaler);
  connect(checkpoints, &CheckpointsDock::resumeRequested, session_, &Session::resumeFrom);
  connect(checkpoints, &CheckpointsDock::saveRequested, session_, &Session::saveCheckpoint);
  connect(configuration, &ConfigurationDock::startRequested, session_, &Session::startDescribed);
  connect(gradients, &GradientsDock::scaleRequested, session_, [this](double wanted) { session_->setScale(wanted); });
  connect(gradients, &GradientsDock::observeRequested, session_, &Session::setObserve);
  connect(events, &EventsDock::eventRequested, session_, &Session::selectEvent);
  // A mark in a chart opens the event of its step.
  const auto open_mark = [this](qint64 step) {
    const auto& known = session_->run().events();
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (known[i].step == step) return session_->selectEvent(static_cast<int>(i));
    }
  };
  connect(scale->plot(), &views::Plot::markActivated, this, open_mark);
  connect(tensor->plot(), &views::Plot::markActivated, this, open_mark);
  for (Dock* dock : all_) {
    if (auto* series = qobject_cast<SeriesDock*>(dock))
      connect(series->plot(), &views::Plot::markActivated, this, open_mark);
  }
}

void DockSet::connectQuestions() {
  connect(questions, &QuestionsDock::eventRequested, this, [this](int index) {
    session_->selectEvent(index);
    raise(inspector);
  });
  connect(questions, &QuestionsDock::stepRequested, this, [this](qint64 step) { session_->selection().setStep(step); });
  connect(questions, &QuestionsDock::siteRequested, this, [this](int site) {
    showSite(site);
    if (session_->run().comparison()) raise(comparison);
  });
  connect(questions, &QuestionsDock::faultRequested, this, [this](int index) {
    raise(silent);
    silent->showFault(index);
  });
}

void DockSet::connectDiagnoseDocks() {
  connect(inspector, &InspectorDock::siteRequested, this, [this](int site) {
    session_->selection().setSites({site});
    const int chart = chartTensorOf(session_->run(), site);
    if (chart >= 0) session_->selection().setTensor(chart);
  });
  connect(inspector, &InspectorDock::fixRequested, session_, &Session::applyFix);
  connect(cast_ledger, &CastLedgerDock::fixRequested, session_, &Session::applyFix);
  connect(silent, &SilentDock::fixRequested, session_, &Session::applyFix);
  connect(questions, &QuestionsDock::comparisonRequested, this, &DockSet::compare);
  connect(inspector, &InspectorDock::comparisonRequested, this, &DockSet::compare);
  connect(events, &EventsDock::comparisonRequested, this, &DockSet::compare);
  connect(silent, &SilentDock::comparisonRequested, this, &DockSet::compare);
  connect(comparison, &ComparisonDock::comparisonRequested, this, &DockSet::compare);
  connect(session_, &Session::comparing, comparison, &ComparisonDock::setWaiting);
  connect(what_if, &WhatIfDock::measureRequested, session_, &Session::measureWhatIf);
  connect(session_, &Session::whatIfMeasured, what_if, &WhatIfDock::showAnswer);
  connect(profile, &ProfileDock::profilingRequested, session_, &Session::setProfiling);
  connect(tensor, &TensorDock::checkAgainRequested, session_, [this] { session_->setProfiling(true); });
}

// An edit that waits looks alike in the table of op calls and in the graph.
void DockSet::connectGraph() {
  SiteTableModel* model = sites->model();
  const auto show = [this, model] { graph->setWaiting([model](int site) { return model->waitingFormat(site); }); };
  // The table's model was connected before, so it knows the edit by now.
  connect(&session_->document(), &PolicyDocument::titleChanged, graph, show);
  show();
}

// Every edit can be tried before it is made.
void DockSet::connectTries() {
  connect(tries, &TryDock::startRequested, this, [this] { raise(tries); });
  connect(sites, &SitesDock::tryRequested, tries, &TryDock::tryPolicy);
  connect(inspector, &InspectorDock::tryRequested, tries, &TryDock::tryFix);
  connect(cast_ledger, &CastLedgerDock::tryRequested, tries, &TryDock::tryFix);
  connect(silent, &SilentDock::tryRequested, tries, &TryDock::tryFix);
  connect(history, &HistoryDock::tryRequested, tries, &TryDock::start);
  connect(edits, &EditsDock::tryRequested, tries, &TryDock::start);
  connect(changes, &ChangesDock::tryRequested, tries, &TryDock::start);
  const auto allow = [this] { allowTries(); };
  connect(&session_->run(), &RunModel::reset, tries, allow);
  for (const auto each : {&RunModel::stateChanged, &RunModel::checkpointAdded})
    connect(&session_->run(), each, tries, allow);
  connect(&session_->tries(), &Tries::started, tries, allow);
  connect(&session_->tries(), &Tries::finished, tries, allow);
  connect(&session_->searches(), &Searches::started, tries, allow);
  connect(&session_->searches(), &Searches::finished, tries, allow);
  allowTries();
}

void DockSet::allowTries() {
  const auto problem = session_->tries().whyNot();
  const QString why = session_->tries().isRunning() ? tr("A Try is in progress.")
                      : problem                     ? problem->message
                                                    : QString();
  history->setWhyNoTry(why);
  edits->setWhyNoTry(why);
  changes->setWhyNoTry(why);
}

// To return to a policy and to return to a state of the training are two requests: neither brings the other about.
void DockSet::connectHistory() {
  connect(history, &HistoryDock::policyRequested, &session_->document(), &PolicyDocument::replace);
  connect(history, &HistoryDock::rewindRequested, session_, &Session::rewindTo);
  connect(history, &HistoryDock::trialSelected, tries, &TryDock::showTrial);
  connect(sites->savings(), &SavingsView::measureRequested, session_, &Session::measureSavings);
  connect(session_, &Session::savingsMeasured, sites->savings(), &SavingsView::showAnswer);
}

// What a search has found can be tried longer; what failed can be searched for a policy that does not.
void DockSet::connectSearch() {
  connect(search, &SearchDock::tryRequested, tries, [this](const TryWish& wish) {
    tries->choices()->setAmount(wish.steps, wish.seeds);
    tries->start(wish);
  });
  connect(inspector, &InspectorDock::repairRequested, search, [this] {
    raise(search);
    search->proposeRepair();
  });
}

void DockSet::connectSecondRun() {
  const SecondRun* second = &session_->second();
  connect(second, &SecondRun::changed, this, [this, second] {
    const RunModel* drawn = second->isEmpty() ? nullptr : &second->run();
    axis_->forgetData();  // the run before may have been longer; the charts extend the axis again
    scale->setSecond(drawn, second->name());
    gradients->setSecond(drawn, second->name());
    tensor->setSecond(drawn, second->name());
    for (Dock* dock : all_) {
      if (auto* series = qobject_cast<SeriesDock*>(dock)) series->setSecond(drawn, second->name());
    }
  });
  // The statistics of a large file follow it.
  connect(&second->run(), &RunModel::statisticsRead, gradients,
          [this, second] { gradients->setSecond(&second->run(), second->name()); });
  connect(second_run, &SecondRunDock::besideChanged, sites,
          [this] { sites->model()->setBeside(second_run->beside()); });
}

// The dock of the ranks is offered for runs on several only, and then shown once.
void DockSet::connectRanks() {
  const RunModel* run = &session_->run();
  ranks->toggleViewAction()->setVisible(false);
  connect(run, &RunModel::reset, this, [this, run, known = RunIdentity{}]() mutable {
    const bool several = run->rankInfos().size() > 1;
    ranks->toggleViewAction()->setVisible(several);
    if (!several) ranks->hide();
    if (!several || run->identity() == known) return;  // after a rewind it stays as the user left it
    known = run->identity();
    // The window shows its docks when it has taken the run.
    QTimer::singleShot(0, this, [this, run] {
      const bool shows_docks =
          std::any_of(all_.begin(), all_.end(), [](const Dock* dock) { return !dock->isHidden(); });
      if (shows_docks && run->rankInfos().size() > 1) ranks->show();
    });
  });
}

void DockSet::showSite(int site) {
  session_->selection().setSites({site});
  raise(sites);
}

void DockSet::compare() {
  session_->compareWithFloat32();
  raise(comparison);
}

void DockSet::raise(Dock* dock) {
  dock->show();
  dock->raise();
}

void DockSet::read(const QSettings& settings) const {
  numbers->read(settings);
  sites->read(settings);
  cast_ledger->read(settings);
  quantized->read(settings);
}

void DockSet::write(QSettings& settings) const {
  numbers->write(settings);
  sites->write(settings);
  cast_ledger->write(settings);
  quantized->write(settings);
}

void DockSet::updateTabsLater() const {
  QTimer::singleShot(0, this, &DockSet::updateTabs);
}

void DockSet::updateTabs() {
  for (Dock* dock : all_) {
    bool tabbed = false;
    for (const QDockWidget* other : window_->tabifiedDockWidgets(dock))
      tabbed |= !other->isHidden() && !other->isFloating();
    dock->setTabbed(tabbed);
  }
}

void DockSet::updateFormats() {
  const wire::Welcome& welcome = session_->engine().welcome();
  QStringList emulated;
  if (!welcome.native_float16) emulated << QStringLiteral("float16");
  if (!welcome.native_bfloat16) emulated << QStringLiteral("bfloat16");
  if (!welcome.native_tfloat32) emulated << QStringLiteral("tfloat32");
  emulated << QStringLiteral("float8_e4m3fn") << QStringLiteral("float8_e5m2");
  sites->setFormats({QStringLiteral("float32"), QStringLiteral("tfloat32"), QStringLiteral("bfloat16"),
                     QStringLiteral("float16"), QStringLiteral("float8_e4m3fn"), QStringLiteral("float8_e5m2")},
                    emulated);
}

}  // namespace binade::app
