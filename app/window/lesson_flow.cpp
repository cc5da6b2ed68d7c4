// SPDX-License-Identifier: Apache-2.0
#include "app/window/lesson_flow.h"

#include "app/docks/cast_ledger_dock.h"
#include "app/docks/events_dock.h"
#include "app/docks/figure_dock.h"
#include "app/docks/gradients_dock.h"
#include "app/docks/graph_dock.h"
#include "app/docks/inspector_dock.h"
#include "app/docks/lesson_dock.h"
#include "app/docks/log_dock.h"
#include "app/docks/questions_dock.h"
#include "app/docks/scale_dock.h"
#include "app/docks/series_dock.h"
#include "app/docks/silent_dock.h"
#include "app/docks/sites_dock.h"
#include "app/lessons/figure_html.h"
#include "app/lessons/lesson_course.h"
#include "app/lessons/lesson_html.h"
#include "app/present/diagnose_answers.h"
#include "app/present/tensor_choices.h"
#include "app/session/session.h"
#include "app/window/dock_set.h"
#include "app/window/file_saver.h"
#include "app/window/html_file.h"
#include "engine/lessons/blocks_of.h"
#include "views/lessons/figure_view.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

namespace binade::app {

LessonFlow::LessonFlow(Session* session, LessonCourse* course, DockSet* docks, FileSaver* saver, QWidget* window)
    : QObject(window),
      session_(session),
      course_(course),
      docks_(docks),
      saver_(saver),
      window_(window),
      run_(new LessonRun(session, this)) {
  LessonDock* lesson = docks_->lesson;
  connect(lesson, &LessonDock::shownChanged, this, [this] {
    if (entry() != nullptr) figure_lesson_ = title();
    placeCaption();
    showRunState();
    Q_EMIT changed();
  });
  connect(lesson, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    lesson_in_sight_ = visible;
    placeCaption();
  });
  connect(lesson, &LessonDock::progressChanged, this, &LessonFlow::onProgress);
  connect(lesson, &LessonDock::runRequested, this, &LessonFlow::startRun);
  connect(lesson, &LessonDock::runCancelled, run_, &LessonRun::cancel);
  connect(lesson, &LessonDock::runFigureRequested, this, &LessonFlow::showRunFigure);
  connect(lesson, &LessonDock::figureRequested, this, [this] { shows_run_figure_ = false; });
  connect(lesson, &LessonDock::figureCovered, this, [this] { shows_run_figure_ = false; });
  connect(lesson, &LessonDock::noFigure, this, [this] { shows_run_figure_ = false; });
  connect(docks_->figure, &FigureDock::lessonRequested, this, [this] {
    const auto next = docks_->lesson->next();
    if (!next) return;
    Q_EMIT entered();
    docks_->lesson->showLesson(*next);
  });
  connect(docks_->figure, &FigureDock::sliderChanged, this, &LessonFlow::onSlider);
  connect(lesson, &LessonDock::openRequested, this, &LessonFlow::openFile);
  connect(docks_->figure, &FigureDock::htmlRequested, this, &LessonFlow::exportFigure);
  connect(run_, &LessonRun::changed, this, &LessonFlow::onRunChanged);
  connect(run_, &LessonRun::ended, this, &LessonFlow::onRunEnded);
  connect(session_, &Session::lessonOpened, this, &LessonFlow::open);
  // After the slot of LessonRun, which was connected first.
  connect(&session_->run(), &RunModel::reset, this, [this] {
    const bool its_own = run_->isShown() || run_->isActive();
    if (covers_ && !(its_own && isVerdictAsked())) coverVerdict(false);
  });
}

const LessonEntry* LessonFlow::entry() const {
  return docks_->lesson->entry();
}

void LessonFlow::open(const QString& wanted) {
  const std::optional<std::size_t> index = course_->find(wanted);
  Q_EMIT entered();
  if (index) return docks_->lesson->showLesson(*index);
  docks_->lesson->showList();
  Q_EMIT problem({tr("There is no lesson %1.").arg(wanted),
                  tr("The lessons have the numbers 1 to %1.").arg(course_->builtInCount())});
}

void LessonFlow::begin() {
  Q_EMIT entered();
  docks_->lesson->showLesson(course_->indexOf(course_->progress().current()).value_or(0));
}

void LessonFlow::showList() {
  Q_EMIT entered();
  docks_->lesson->showList();
}

void LessonFlow::openFile() {
  const QString file =
      QFileDialog::getOpenFileName(window_, tr("Open a lesson"), QString(), tr("Lessons (*.md);;All files (*)"));
  if (!file.isEmpty()) open(file);
}

QString LessonFlow::title() const {
  const LessonEntry* shown = entry();
  if (shown == nullptr) return {};
  const std::optional<std::size_t> index = docks_->lesson->shown();
  return shown->built_in ? tr("Lesson %1: %2").arg(*index + 1).arg(shown->title())
                         : tr("Lesson: %1").arg(shown->title());
}

std::size_t LessonFlow::count() const {
  return course_->builtInCount();
}

QString LessonFlow::progressText() const {
  return tr("%1 of %2 lessons done").arg(course_->doneCount()).arg(course_->builtInCount());
}

bool LessonFlow::canExport() const {
  return entry() != nullptr && entry()->lesson() != nullptr;
}

bool LessonFlow::mayReplaceRun() {
  if (!saver_->mayLeave()) return false;
  if (!session_->run().isActive()) return true;
  return QMessageBox::question(window_, tr("Run the experiment"),
                               tr("A run is in progress. Stop it and run the experiment?")) == QMessageBox::Yes;
}

void LessonFlow::startRun(std::size_t index) {
  if (!canExport()) return;
  if (run_->isActive()) {
    return Q_EMIT problem({tr("An experiment is in progress."), tr("Wait until it has ended, or cancel it.")});
  }
  const auto experiments = lessons::blocks_of<lessons::Experiment>(*entry()->lesson());
  if (index >= experiments.size() || !mayReplaceRun()) return;
  run_lesson_ = entry()->key;
  run_index_ = index;
  charts_due_ = true;
  tensor_due_ = experiments[index]->show == lessons::RunView::kHeatMap;
  // The window shows the run before until this one starts, so what is covered stays so.
  if (isVerdictAsked()) coverVerdict(true);
  run_->start(*experiments[index], title());
}

// Whether the experiment started last has a verdict that the lesson's first exercise still asks for.
bool LessonFlow::isVerdictAsked() const {
  const std::optional<std::size_t> index = course_->indexOf(run_lesson_);
  const lessons::Lesson* lesson = index ? course_->entries()[*index].lesson() : nullptr;
  if (lesson == nullptr) return false;
  const auto experiments = lessons::blocks_of<lessons::Experiment>(*lesson);
  return run_index_ < experiments.size() && experiments[run_index_]->kind == lessons::RunKind::kDiagnose &&
         !course_->progress().isAnswered(run_lesson_, *lesson, 0);
}

void LessonFlow::onRunChanged() {
  if (charts_due_ && run_->state() == LessonRun::State::kTraining) {
    charts_due_ = false;
    showRunFigure();
    raiseCharts();
  }
  if (tensor_due_ && run_->state() == LessonRun::State::kTraining) chooseTensorWithValues();
  if (shows_run_figure_) fillRunFigure();
  showRunState();
}

// The gradients of the first layer, which the window shows at first, may all be 0: then those of the last one are the
// better beginning.
void LessonFlow::chooseTensorWithValues() {
  const TensorTrack* shown = session_->run().tensor(session_->selection().tensor());
  if (shown == nullptr || shown->histograms.empty()) return;
  tensor_due_ = false;
  if (shown->histograms.latest().largest > 0) return;
  if (const int other = lastGradientWithValues(session_->run()); other >= 0) session_->selection().setTensor(other);
}

void LessonFlow::onRunEnded() {
  if (run_->isComplete()) {
    course_->progress().setRan(run_lesson_, run_index_);
    if (run_->experiment().kind == lessons::RunKind::kDiagnose && !covers_) raiseCharts();
  }
  showRunState();
  Q_EMIT changed();
}

// The page of a lesson has the captions of its figures too.
void LessonFlow::placeCaption() {
  docks_->figure->setBesideLesson(entry() != nullptr && lesson_in_sight_);
}

// Puts the figure of the experiment in place of the lesson's, unless another lesson is shown.
void LessonFlow::showRunFigure() {
  if (!isRunBeside() || !run_->hasFigure()) return;
  docks_->lesson->releaseFigure();
  shows_run_figure_ = true;
  fillRunFigure();
  DockSet::raise(docks_->figure);
}

void LessonFlow::fillRunFigure() {
  if (run_->experiment().kind == lessons::RunKind::kCompare) {
    return docks_->figure->showData(run_->figure(), run_->text());
  }
  const LiveTail& tail = run_->tail();
  if (tail.hasFigure()) return docks_->figure->showData(tail.figure(), tail.caption());
  docks_->figure->showNothing(tail.missing().headline, tail.missing().sentence);
}

void LessonFlow::onSlider(double value) {
  if (!shows_run_figure_ || run_->experiment().show != lessons::RunView::kScaledTail) return;
  run_->setTailExponent(value);
  fillRunFigure();
}

bool LessonFlow::isRunBeside() const {
  return entry() != nullptr && entry()->key == run_lesson_;
}

// The lesson shows the state of its experiment, unless another lesson is shown.
void LessonFlow::showRunState() {
  if (!isRunBeside() || run_->state() == LessonRun::State::kIdle) return;
  docks_->lesson->showRun(run_index_, *run_);
}

void LessonFlow::onProgress() {
  if (covers_ && !isVerdictAsked()) {
    coverVerdict(false);
    raiseCharts();
  }
  Q_EMIT changed();
}

void LessonFlow::raiseCharts() {
  const lessons::Experiment& experiment = run_->experiment();
  if (experiment.kind == lessons::RunKind::kCompare) return DockSet::raise(docks_->figure);
  switch (experiment.show) {
    case lessons::RunView::kLoss:
      return DockSet::raise(docks_->loss);
    case lessons::RunView::kLossScale:
      return DockSet::raise(docks_->scale);
    case lessons::RunView::kHeatMap:
    case lessons::RunView::kGradient:
      return DockSet::raise(docks_->gradients);
    case lessons::RunView::kScaledTail:
      return DockSet::raise(docks_->figure);
    case lessons::RunView::kOpCalls:
      return DockSet::raise(docks_->sites);
    case lessons::RunView::kCasts:
      return DockSet::raise(docks_->cast_ledger);
    case lessons::RunView::kDiagnosis:
      break;
  }
  if (covers_) return DockSet::raise(docks_->sites);
  if (run_->isShown()) session_->selectEvent(nonFiniteAnswer(session_->run()).event);
  DockSet::raise(docks_->inspector);
}

void LessonFlow::coverVerdict(bool cover) {
  covers_ = cover;
  const QString why = cover ? tr("The verdict is covered until you have answered the first question of the lesson: the "
                                 "name of the op call.")
                            : QString();
  for (Dock* dock : {static_cast<Dock*>(docks_->inspector), static_cast<Dock*>(docks_->questions),
                     static_cast<Dock*>(docks_->events), static_cast<Dock*>(docks_->silent),
                     static_cast<Dock*>(docks_->graph), static_cast<Dock*>(docks_->log)}) {
    dock->setCovered(why);
  }
}

void LessonFlow::exportHtml() {
  if (!canExport()) return;
  const QString name = QFileInfo(entry()->file).completeBaseName() + QStringLiteral(".html");
  const QString file = askForHtmlFile(window_, tr("Export lesson as HTML"), name);
  if (file.isEmpty()) return;
  writeHtml(file, lessonHtml(*entry()->lesson(), FigureDock::picture), tr("The lesson"));
}

void LessonFlow::writeHtml(const QString& file, const QString& html, const QString& what) {
  if (const auto failed = writeHtmlFile(file, html)) return Q_EMIT problem(*failed);
  Q_EMIT written(tr("%1 was written to %2.").arg(what, QDir::toNativeSeparators(file)),
                 tr("It is one page without scripts. Any browser shows it."));
}

void LessonFlow::exportFigure() {
  const views::FigureView* view = docks_->figure->view();
  if (!view->showsFigure()) return;
  // A live figure may change, or be covered by another lesson's, while the dialog is open.
  const QString html = figureHtml(view->figure(), docks_->figure->shownPicture(), view->caption(), figure_lesson_);
  const QString file = askForHtmlFile(window_, tr("Export figure as HTML"), QStringLiteral("figure.html"));
  if (file.isEmpty()) return;
  writeHtml(file, html, tr("The figure"));
}

}  // namespace binade::app
