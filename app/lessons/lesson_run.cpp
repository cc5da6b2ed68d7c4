// SPDX-License-Identifier: Apache-2.0
#include "app/lessons/lesson_run.h"

#include "app/lessons/lesson_run_config.h"
#include "app/present/diagnose_answers.h"
#include "app/session/fashion_data.h"
#include "app/session/session.h"
#include "views/values/numbers.h"

#include <algorithm>
#include <utility>

namespace binade::app {

namespace {

// In the folder of all runs. A title may have points and slashes, which are no endings and folders here.
std::string runFileOf(const Session& session, const std::string& name) {
  QString stem = QString::fromStdString(name);
  stem.replace(u'/', u'-');
  return session.runFileFor(stem + QStringLiteral(".binade")).toStdString();
}

QString trainingText(const TrainingLosses& training) {
  const QString first = views::figure(training.losses.front().y);
  const QString mean = views::figure(training.lastLoss());
  const std::size_t steps = training.losses.size();
  if (steps == 1) return LessonRun::tr("Loss %1 in the only step.").arg(first);
  if (steps <= TrainingLosses::kLast)
    return LessonRun::tr("Loss %1 in the first step, on average %2 in all %3 steps.")
        .arg(first, mean, views::grouped(steps));
  return LessonRun::tr("Loss %1 in the first step, on average %2 in the last %3 of %4 steps.")
      .arg(first, mean, views::grouped(TrainingLosses::kLast), views::grouped(steps));
}

QString skippedText(std::int64_t skipped) {
  return skipped == 0   ? LessonRun::tr("No step was skipped.")
         : skipped == 1 ? LessonRun::tr("One step was skipped.")
                        : LessonRun::tr("%1 steps were skipped.").arg(views::grouped(skipped));
}

}  // namespace

LessonRun::LessonRun(Session* session, QObject* parent) : QObject(parent), session_(session) {
  limit_.setSingleShot(true);
  connect(&limit_, &QTimer::timeout, this, &LessonRun::onLimit);
  const RunModel* run = &session_->run();
  connect(run, &RunModel::reset, this, &LessonRun::onReset);
  connect(run, &RunModel::frame, this, &LessonRun::onFrame);
  connect(run, &RunModel::stateChanged, this, &LessonRun::onStateChanged);
  connect(session_, &Session::startAbandoned, this, &LessonRun::onStartAbandoned);
  connect(session_, &Session::problem, this, [this](const Problem& problem) {
    // A training that fails says why when it ends; other problems are not its own.
    if (state_ != State::kLoading) return;
    problem_ = problem;
    forsake();
    end(false);
  });
}

void LessonRun::start(const lessons::Experiment& experiment, const QString& lesson) {
  if (state_ == State::kLoading) forsake();
  limit_.stop();
  experiment_ = experiment;
  lesson_ = lesson;
  complete_ = false;
  cancelled_ = false;
  out_of_time_ = false;
  limited_ = false;
  bad_step_.reset();
  problem_ = {};
  planned_ = lessons::trainings_of(experiment);
  trainings_.clear();
  tail_ = {};
  launch();
}

// Starts the next training.
void LessonRun::launch() {
  trainings_.push_back({.training = planned_[trainings_.size()]});
  state_ = State::kLoading;
  // The engine refuses a run while another one is loading.
  if (forsaken_.empty()) request();
  Q_EMIT changed();
}

// Requests the newest training from the engine.
void LessonRun::request() {
  wire::RunConfig config = lessonRunConfig(experiment_, trainings_.back().training, lesson_, fashionFolder());
  config.run_file = runFileOf(*session_, config.name);
  name_ = config.name;
  caption_ = QString::fromStdString(config.caption);
  requested_ = true;
  session_->replaceRun(config);
}

// The training that is loading is not wanted any more: it will be stopped when it starts.
void LessonRun::forsake() {
  if (std::exchange(requested_, false) && !session_->dropWaitingStart()) forsaken_ = name_;
}

void LessonRun::onStartAbandoned() {
  forsaken_.clear();
  if (state_ != State::kLoading) return;
  if (requested_) return end(false);
  if (!trainings_.back().ended) request();  // it waited for a forsaken one
}

void LessonRun::onReset() {
  const RunModel& run = session_->run();
  if (run.source() == RunModel::Source::kLive && !forsaken_.empty()) {
    const bool forsaken = run.config().name == forsaken_;
    forsaken_.clear();  // the engine loads one run at a time
    shown_ = false;
    if (state_ == State::kLoading && !requested_) return request();
    if (forsaken) return session_->stop();
  }
  const bool mine = state_ != State::kIdle && run.source() == RunModel::Source::kLive && run.config().name == name_;
  shown_ = mine;
  if (!mine) {
    // Another run took its place while it was in progress.
    if (state_ == State::kTraining) end(false);
    return;
  }
  if (state_ != State::kLoading) return;
  requested_ = false;
  read_steps_ = 0;
  state_ = State::kTraining;
  limit_.start(experiment_.limit_s * 1000 / static_cast<int>(planned_.size()));
  Q_EMIT changed();
}

void LessonRun::onFrame() {
  if (state_ != State::kTraining || !shown_) return;
  readSteps();
  lookForDiagnosis();
  if (experiment_.show == lessons::RunView::kScaledTail) tail_.update(session_->run());
  Q_EMIT changed();
}

void LessonRun::readSteps() {
  const auto& steps = session_->run().steps();
  TrainingLosses& training = trainings_.back();
  for (; read_steps_ < steps.size(); ++read_steps_) {
    const StepPoint step = steps[read_steps_];
    training.losses.push_back({static_cast<double>(step.step), step.loss});
    training.skipped += step.stepped ? 0 : 1;
  }
}

void LessonRun::lookForDiagnosis() {
  if (experiment_.kind != lessons::RunKind::kDiagnose || bad_step_) return;
  const auto& events = session_->run().events();
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (!isNonFinite(events[i].kind)) continue;
    bad_step_ = events[i].step;
    return stopTraining();
  }
}

void LessonRun::onStateChanged() {
  if (state_ == State::kTraining && shown_ && session_->run().finished()) endTraining();
}

void LessonRun::onLimit() {
  readSteps();
  out_of_time_ = true;
  // Otherwise only the evaluation after the last step is cut.
  limited_ = limited_ || trainings_.back().losses.size() < static_cast<std::size_t>(experiment_.steps);
  stopTraining();
}

void LessonRun::stopTraining() {
  limit_.stop();
  session_->stop();
}

void LessonRun::cancel() {
  if (!isActive()) return;
  cancelled_ = true;
  if (state_ == State::kTraining) return stopTraining();
  forsake();
  end(false);
}

void LessonRun::endTraining() {
  limit_.stop();
  readSteps();
  lookForDiagnosis();
  if (experiment_.show == lessons::RunView::kScaledTail) tail_.update(session_->run());
  trainings_.back().ended = true;
  const wire::Finished& finished = *session_->run().finished();
  if (finished.outcome == wire::Outcome::kFailed) {
    problem_ = {QString::fromStdString(finished.message), QString::fromStdString(finished.hint)};
    return end(false);
  }
  // Somebody else stopped it, for example with Run > Stop.
  if (finished.outcome != wire::Outcome::kCompleted && !out_of_time_ && !bad_step_) return end(false);
  if (trainings_.size() == planned_.size()) return end(true);
  if (cancelled_) return end(false);
  out_of_time_ = false;
  state_ = State::kLoading;
  // The session is still handling the end of this training.
  QMetaObject::invokeMethod(
      this,
      [this] {
        if (state_ == State::kLoading && trainings_.back().ended) launch();
      },
      Qt::QueuedConnection);
}

void LessonRun::end(bool complete) {
  limit_.stop();
  requested_ = false;
  if (complete) problem_ = {};
  state_ = State::kEnded;
  complete_ = complete;
  Q_EMIT changed();
  Q_EMIT ended();
}

bool LessonRun::hasFigure() const {
  return experiment_.kind == lessons::RunKind::kCompare || experiment_.show == lessons::RunView::kScaledTail;
}

bool LessonRun::lacksEngine() const {
  return session_->engine().state() == EngineClient::State::kStopped;
}

double LessonRun::progress() const {
  if (state_ == State::kIdle) return 0;
  const double steps = std::max(experiment_.steps, 1);
  double done = 0;
  for (const TrainingLosses& each : trainings_)
    done += each.ended ? 1 : static_cast<double>(each.losses.size()) / steps;
  return std::min(done / static_cast<double>(planned_.size()), 1.0);
}

QString LessonRun::text() const {
  if (state_ == State::kIdle) return {};
  const TrainingLosses& training = trainings_.back();
  QString which = QString::fromStdString(training.training.name);
  if (planned_.size() > 1) {
    which = tr("%1 (%2 of %3)").arg(which).arg(trainings_.size()).arg(planned_.size());
  }
  if (state_ == State::kLoading) return tr("%1: the model is being loaded.").arg(which);
  if (state_ == State::kEnded) return resultText();
  if (training.losses.empty())
    return tr("%1: the first of %2 steps is running.").arg(which, views::grouped(experiment_.steps));
  return tr("%1: step %2 of %3, loss %4.")
      .arg(which, views::grouped(training.losses.size()), views::grouped(experiment_.steps),
           views::figure(training.losses.back().y));
}

QString LessonRun::resultText() const {
  if (!problem_.message.isEmpty()) return problem_.text();
  const TrainingLosses& training = trainings_.back();
  if (bad_step_) return tr("Step %1 is not finite. The training was stopped.").arg(views::grouped(*bad_step_));
  QString text;
  if (complete_ && experiment_.kind == lessons::RunKind::kDiagnose) {
    text = tr("All %1 steps were finite.").arg(views::grouped(training.losses.size()));
  } else if (trainings_.size() > 1) {
    text = QString::fromStdString(figure().text);
  } else if (training.losses.empty()) {
    text = tr("The training ended before its first step.");
  } else {
    text = trainingText(training) + u' ' + skippedText(training.skipped);
  }
  if (!caption_.isEmpty()) text += u' ' + caption_;
  if (limited_) text += u' ' + tr("The time limit of %1 s ended it.").arg(experiment_.limit_s);
  if (!complete_) text += u' ' + tr("It was stopped before its end.");
  return text;
}

}  // namespace binade::app
