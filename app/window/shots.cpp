// SPDX-License-Identifier: Apache-2.0
#include "app/window/shots.h"

#include "app/docks/comparison_dock.h"
#include "app/docks/dock.h"
#include "app/docks/events_dock.h"
#include "app/docks/history_dock.h"
#include "app/docks/inspector_dock.h"
#include "app/docks/inspector_page.h"
#include "app/docks/lesson_dock.h"
#include "app/docks/numbers_dock.h"
#include "app/docks/questions_dock.h"
#include "app/docks/search_dock.h"
#include "app/docks/search_form.h"
#include "app/docks/series_dock.h"
#include "app/docks/silent_dock.h"
#include "app/docks/sites_dock.h"
#include "app/docks/tensor_dock.h"
#include "app/docks/try_choices.h"
#include "app/docks/try_dock.h"
#include "app/docks/what_if_dock.h"
#include "app/model/profile_track.h"
#include "app/present/cell_model.h"
#include "app/session/session.h"
#include "app/session/tries.h"
#include "app/window/attach_shots.h"
#include "app/window/banner.h"
#include "app/window/dock_set.h"
#include "app/window/lesson_flow.h"
#include "app/window/main_window.h"
#include "app/window/start_page.h"
#include "app/window/theme_setting.h"
#include "app/window/trust_dialog.h"
#include "app/window/unconfined_dialog.h"
#include "engine/policy/products.h"
#include "views/lessons/lesson_page.h"
#include "views/lessons/option_button.h"
#include "views/lessons/prediction_card.h"
#include "views/values/roles.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>

#include <chrono>
#include <cstdio>

namespace binade::app {

namespace {

constexpr int kPollMs = 200;
constexpr std::chrono::seconds kLimit(600);  // total time limit
constexpr qint64 kPatienceMs = 60'000;
constexpr std::int64_t kStepsBefore = 700;  // steps of training before the edit ...
constexpr std::int64_t kLeastBefore = 250;
constexpr std::int64_t kStepsAfter = 250;  // ... and after it
constexpr std::int64_t kLeastAfter = 40;
constexpr int kTrySteps = 40;  // of each training of a Try and of a search
constexpr int kSearchTries = 8;
constexpr int kSearchMinutes = 3;
constexpr QSize kWindow(1600, 1000);

// Painting needs the event loop: processes everything queued.
void settle() {
  for (int i = 0; i < 5; ++i) QApplication::processEvents(QEventLoop::AllEvents, 60);
}

}  // namespace

Shots::Shots(MainWindow* window, Session* session, const QString& folder)
    : QObject(window), window_(window), session_(session), folder_(folder) {
  attach_ = new AttachShots(window_, session_, [this](const QString& name, QWidget* widget) { save(name, widget); });
  connect(attach_, &AttachShots::finished, this, [this](const QString& why) {
    if (!why.isEmpty()) return fail(why);
    done(folder_.saved() >= 6 ? 0 : 1);
  });
  timer_.setInterval(kPollMs);
  connect(&timer_, &QTimer::timeout, this, &Shots::advance);
  connect(session_, &Session::problem, this, [this](const Problem& problem) { fail(problem.text(u'\n')); });
}

void Shots::start() {
  if (const QString why = folder_.create(); !why.isEmpty()) return fail(why);
  window_->resize(kWindow);
  elapsed_.start();
  timer_.start();
}

void Shots::advance() {
  if (failed_) return;
  if (elapsed_.elapsed() > std::chrono::milliseconds(kLimit).count()) {
    return fail(tr("The demo did not reach the required step within %1 s.").arg(kLimit.count()));
  }
  const RunModel& run = session_->run();
  const auto steps = static_cast<std::int64_t>(run.steps().size());
  switch (stage_) {
    case Stage::kEngine:
      if (session_->engine().state() == EngineClient::State::kReady) startDemo();
      return;
    case Stage::kRun:
      if (!seenEverything() || !enough(steps, kStepsBefore, kLeastBefore)) return;
      edit();
      return enter(Stage::kEdit);
    case Stage::kEdit:
      if (run.policies().size() < 2) return;
      edited_at_ = steps;
      return enter(Stage::kAfterEdit);
    case Stage::kAfterEdit:
      if (enough(steps - edited_at_, kStepsAfter, kLeastAfter)) takeTrained();
      return;
    case Stage::kCompare:
      if (run.comparison()) takeCompared();
      return;
    case Stage::kBlocks:
      if (window_->docks()->what_if->model()->rowCount() > 0) takeBlocks();
      return;
    case Stage::kTry:
      if (!session_->tries().isRunning()) takeTried();
      return;
    case Stage::kSearch:
      if (window_->docks()->search->searches().result()) takeSearched();
      return;
    case Stage::kProfile:
      if (hasSites(run.profile().latest())) takeProfiled();
      return;
    case Stage::kEnd:
      if (run.finished()) inspectSample();
      return;
    case Stage::kSetup:
      return;  // continues with the engine's answer
  }
}

void Shots::startDemo() {
  window_->showStart();
  save(QStringLiteral("start"), window_);
  session_->runDemo();
  enter(Stage::kRun);
}

void Shots::takeTrained() {
  takeBoth(QStringLiteral("explore"));
  takeDocks();
  takeDiagnose();
  enter(Stage::kCompare);
  session_->compareWithFloat32();
}

void Shots::takeCompared() {
  window_->docks()->comparison->raise();
  save(QStringLiteral("comparison"), window_);
  measureBlocks();
}

void Shots::measureBlocks() {
  const RunModel& run = session_->run();
  for (const wire::SiteInfo& info : run.sites()) {
    if (policy::has_products(info.key.op, info.key.overload)) session_->selection().setSites({info.id});
  }
  WhatIfDock* what_if = window_->docks()->what_if;
  DockSet::raise(what_if);
  what_if->operands()->setCurrentIndex(1);                 // the weight of the forward product
  if (!what_if->measure()->isEnabled()) return tryEdit();  // the run has ended
  what_if->measure()->click();
  enter(Stage::kBlocks);
}

void Shots::takeBlocks() {
  takeBoth(QStringLiteral("blocks"), window_->docks()->what_if);
  window_->docks()->what_if->hide();
  session_->selection().setSites({});
  tryEdit();
}

void Shots::tryEdit() {
  window_->setArrangement(Arrangement::kTune);
  if (session_->tries().whyNot()) {  // the engine is elsewhere
    takeBoth(QStringLiteral("tune"));
    return profile();
  }
  window_->docks()->tries->choices()->setAmount(kTrySteps, 1);
  window_->docks()->tries->tryNewestEdit();
  enter(Stage::kTry);
}

void Shots::takeTried() {
  takeBoth(QStringLiteral("tune"));
  save(QStringLiteral("try"), window_->docks()->tries);
  save(QStringLiteral("history"), window_->docks()->history);
  SearchDock* search = window_->docks()->search;
  DockSet::raise(search);
  search->form()->setGoal(SearchGoal::kCasts);
  search->form()->minutes()->setValue(kSearchMinutes);
  search->form()->tries()->setValue(kSearchTries);
  search->form()->steps()->setValue(kTrySteps);
  save(QStringLiteral("search-order"), window_);
  search->searchButton()->click();
  if (!search->searches().isRunning()) return fail(search->searchButton()->toolTip());
  enter(Stage::kSearch);
}

void Shots::takeSearched() {
  const auto& result = window_->docks()->search->searches().result();
  if (result->problem) return fail(result->problem->text());
  save(QStringLiteral("tune-search"), window_);
  save(QStringLiteral("search"), window_->docks()->search);
  profile();
}

void Shots::profile() {
  window_->setArrangement(Arrangement::kProfile);
  enter(Stage::kProfile);
}

void Shots::takeProfiled() {
  takeBoth(QStringLiteral("profile"));
  save(QStringLiteral("reason"), window_->docks()->tensor);
  window_->setArrangement(Arrangement::kExplore);
  session_->stop();
  enter(Stage::kEnd);
}

void Shots::inspectSample() {
  enter(Stage::kSetup);
  session_->engine().inspect(QStringLiteral("sample:cnn"),
                             [this](const std::variant<wire::ModelInfo, Problem>& answer) {
                               const auto* model = std::get_if<wire::ModelInfo>(&answer);
                               if (model == nullptr) return fail(std::get<Problem>(answer).message);
                               takeSetup(*model);
                             });
}

void Shots::enter(Stage stage) {
  stage_ = stage;
  stage_began_ = elapsed_.elapsed();
}

// Returns whether there are as many steps as wanted, or at least `atLeast` after a minute on a slow machine.
bool Shots::enough(std::int64_t steps, std::int64_t wanted, std::int64_t atLeast) const {
  return steps >= wanted || (steps >= atLeast && elapsed_.elapsed() - stage_began_ > kPatienceMs);
}

bool Shots::seenEverything() const {
  bool skipped = false;
  bool backed_off = false;
  bool grown = false;
  for (const StepPoint& point : session_->run().steps()) {
    skipped |= !point.stepped;
    backed_off |= point.next_scale < point.scale;
    grown |= point.next_scale > point.scale;
  }
  return skipped && backed_off && grown;
}

void Shots::edit() {
  // The second op call that the base list lowers: the first one's gradient stays visible.
  const RunModel& run = session_->run();
  int site = -1;
  int seen = 0;
  for (const wire::SiteInfo& info : run.sites()) {
    const policy::Decision* decision = run.decision(info.id);
    if (decision == nullptr || decision->kind != policy::Decision::Kind::kFormat) continue;
    if (decision->format == formats::kFloat16 && ++seen == 2) site = info.id;
  }
  if (site < 0) return fail(tr("The demo has no op call in float16 to edit."));
  SitesDock* dock = window_->docks()->sites;
  const QModelIndex cell = dock->filter()->indexOfSite(site).siblingAtColumn(SiteTableModel::kFormat);
  if (!dock->filter()->setData(cell, QStringLiteral("bfloat16"), views::FormatRole)) {
    fail(tr("The format of an op call could not be set."));
  }
}

void Shots::takeBoth(const QString& name, QWidget* part) {
  QWidget* const shown = part == nullptr ? window_ : part;
  applyThemeChoice(ThemeChoice::kLight);
  save(name + QStringLiteral("-light"), shown);
  applyThemeChoice(ThemeChoice::kDark);
  save(name + QStringLiteral("-dark"), shown);
  applyThemeChoice(ThemeChoice::kLight);
}

void Shots::takeDiagnose() {
  window_->setArrangement(Arrangement::kDiagnose);
  const auto& events = session_->run().events();
  // The newest event with a diagnosis, else the newest event.
  int shown = static_cast<int>(events.size()) - 1;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].diagnosis) shown = static_cast<int>(i);
  }
  session_->selectEvent(shown);
  window_->docks()->questions->update();
  takeBoth(QStringLiteral("diagnose"));
  save(QStringLiteral("inspector"), window_->docks()->inspector);
  window_->docks()->inspector->page()->why()->setChecked(true);
  save(QStringLiteral("inspector-why"), window_->docks()->inspector);
  window_->docks()->inspector->page()->why()->setChecked(false);
  window_->docks()->silent->raise();
  window_->docks()->silent->showFault(0);
  save(QStringLiteral("silent"), window_);
  window_->docks()->inspector->raise();
  session_->selection().setStep(std::nullopt);
}

void Shots::takeDocks() {
  const QList<Dock*>& docks = window_->docks()->all();
  // The smallest magnitude that float16 rounds to infinity.
  window_->docks()->numbers->look({formats::kFloat16.overflow_limit(), formats::kFloat16});
  for (Dock* dock : docks) {
    const bool hidden = dock->isHidden();
    dock->show();
    dock->raise();
    save(QStringLiteral("dock-") + dock->objectName(), dock);
    dock->setVisible(!hidden);
  }
  const auto& events = session_->run().events();
  if (events.empty()) return fail(tr("The demo had no overflow event."));
  session_->selectEvent(static_cast<int>(events.size()) - 1);
  window_->docks()->loss->raise();
  window_->docks()->events->raise();
  save(QStringLiteral("event-selected"), window_);
}

void Shots::takeSetup(const wire::ModelInfo& model) {
  Q_EMIT session_->modelInspected(model);
  save(QStringLiteral("setup"), window_);
  applyThemeChoice(ThemeChoice::kDark);
  save(QStringLiteral("setup-dark"), window_);
  applyThemeChoice(ThemeChoice::kLight);
  takeTrust();
  takeLessons();
  endRun();
}

void Shots::takeTrust() {
  Problem problem{QStringLiteral("net.pt is refused: it calls aten::save at net.py:14, which writes files"),
                  QStringLiteral("Open only models whose author you trust. To use this one, save it again without that "
                                 "code, or trust it (--trust).")};
  problem.unsafe = {{QStringLiteral("code/__torch__.py:14"), QStringLiteral("torch.save(x, \"../profile\")"),
                     QStringLiteral("calls aten::save, which writes files")},
                    {QStringLiteral("code/__torch__.py:21"),
                     QStringLiteral("def __setstate__(self: __torch__.Net, state: int) -> NoneType:"),
                     QStringLiteral("defines __setstate__, which runs while the file is being loaded")}};
  problem.sha256 = QString(64, u'0');
  window_->banner()->showProblem(problem);
  save(QStringLiteral("refused"), window_);
  window_->banner()->dismiss();
  TrustDialog dialog(QStringLiteral("net.pt"), problem, window_);
  save(QStringLiteral("trust"), &dialog);
  UnconfinedDialog unconfined({},
                              QStringLiteral("binade-engine: The engine cannot be confined: This kernel has no "
                                             "Landlock, or it is switched off, so files are open to models."),
                              window_);
  save(QStringLiteral("unconfined"), &unconfined);
}

void Shots::takeLessons() {
  for (std::size_t number = 1; number <= window_->lessons()->count(); ++number) {
    window_->openLesson(QString::number(number));
    // The figure is covered until the prediction is made. That of lesson 9 stays covered: it waits for an exercise too.
    const auto& predictions = window_->docks()->lesson->page()->predictions();
    if (!predictions.empty()) predictions.front()->options().front()->click();
    window_->docks()->lesson->page()->showTop();
    save(QStringLiteral("dock-lesson-%1").arg(number, 2, 10, QLatin1Char('0')), window_);
  }
}

void Shots::endRun() {
  const QString file = session_->run().runFile();
  const QString copy = folder_.filePath(QStringLiteral("demo.binade"));
  if (!file.isEmpty() && QFile::exists(file)) {
    QFile::remove(copy);
    if (QFile::copy(file, copy)) std::printf("%s\n", qPrintable(copy));
  }
  attach_->start();
}

void Shots::save(const QString& name, QWidget* widget) {
  settle();
  PictureFolder::clearFocus();
  if (const QString why = folder_.save(name, widget->grab()); !why.isEmpty()) fail(why);
}

void Shots::fail(const QString& why) {
  if (failed_) return;
  failed_ = true;
  std::fprintf(stderr, "binade: %s\n", qPrintable(why));
  done(1);
}

void Shots::done(int code) {
  timer_.stop();
  std::fflush(stdout);
  Q_EMIT finished(code);
}

}  // namespace binade::app
