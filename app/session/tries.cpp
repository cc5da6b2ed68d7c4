// SPDX-License-Identifier: Apache-2.0
#include "app/session/tries.h"

#include "app/present/policy_change.h"
#include "app/session/searches.h"
#include "app/session/session.h"

#include <QDir>
#include <QFileInfo>

#include <utility>

namespace binade::app {

namespace {

QString changeName(const TryWish& wish, const RunModel& run) {
  if (!wish.name.isEmpty()) return wish.name;
  const PolicyChange change = policyChange(wish.before, wish.after, run.sites());
  return change.format.isEmpty() ? change.title : Tries::tr("%1 in %2").arg(change.title, change.format);
}

/// The checkpoint with the state in which the run is paused; null: there is none.
const wire::CheckpointInfo* savedInPause(const RunModel& run) {
  if (run.state() != wire::RunState::kPaused || run.checkpoints().empty() || run.steps().empty()) return nullptr;
  const wire::CheckpointInfo& newest = run.checkpoints().back();
  const bool tuned = !run.scalerEdits().empty() && run.scalerEdits().back().step >= newest.step;
  const bool now = newest.step == run.steps().back().step + 1 && !tuned;
  return now && QFileInfo::exists(QString::fromStdString(newest.file)) ? &newest : nullptr;
}

}  // namespace

std::optional<TryWish> tryOfNewestEdit(const RunModel& run, const policy::Policy& edited) {
  const auto& policies = run.policies();
  for (auto known = policies.rbegin(); known != policies.rend(); ++known) {
    if (!(known->policy == edited)) return TryWish{known->policy, edited};
  }
  return std::nullopt;
}

Tries::Tries(Session* session) : QObject(session), session_(session), job_(session->engine().command()) {
  connect(&job_, &TryJob::progress, this, &Tries::progress);
  connect(&job_, &TryJob::learnt, this, &Tries::learnt);
  connect(&job_, &TryJob::finished, this, &Tries::take);
}

bool Tries::isOfShownRun() const {
  const RunModel& run = session_->run();
  return !run.isEmpty() && run.identity() == run_;
}

std::optional<Problem> Tries::whyNoPoint() const {
  const RunModel& run = session_->run();
  if (run.isEmpty()) return Problem{tr("There is no run whose policy could be tried."), tr("Start or open a run.")};
  if (const QString why = whyNoTry(session_->engine().command()); !why.isEmpty()) return Problem{why};
  const QString model = QString::fromStdString(run.config().model);
  if (!model.startsWith(QLatin1String("sample:")) && !QFileInfo::exists(model)) {
    return Problem{tr("The run's model %1 does not exist.").arg(QDir::toNativeSeparators(model)),
                   tr("Put the model file back to train from this run.")};
  }
  if (run.isActive() || QFileInfo::exists(run.runFile())) return std::nullopt;
  if (!run.checkpoints().empty()) return std::nullopt;
  return Problem{tr("The run has neither a run file nor a checkpoint, so there is no state to try from."),
                 tr("Start the run again; the set-up page gives it a run file.")};
}

// Both train as fast as the machine can, so side by side each would take twice as long, and its times would say
// nothing.
std::optional<Problem> Tries::whyNot() const {
  if (session_->searches().isRunning()) {
    return Problem{tr("A search is in progress. A Try beside it would slow down both, and make their times wrong."),
                   tr("Cancel the search, or wait for its end.")};
  }
  return whyNoPoint();
}

// The state before the newest edit answers what the edit did, and a live run need not stop to save another one.
std::optional<RunPoint> Tries::pointAtEdit() const {
  const RunModel& run = session_->run();
  const wire::CheckpointInfo* saved = run.checkpointAtEdit();
  const auto& policies = run.policies();
  if (saved == nullptr || policies.size() < 2 || saved->step != policies.back().step) return std::nullopt;
  const bool asked = wish_.after == policies.back().policy && wish_.before == policies[policies.size() - 2].policy;
  const QString file = QString::fromStdString(saved->file);
  if (!asked || !QFileInfo::exists(file)) return std::nullopt;
  return RunPoint{file, {}};
}

void Tries::findPoint(const std::function<void(const std::variant<RunPoint, Problem>&)>& done) {
  if (const auto why = whyNoPoint()) return done(*why);
  const RunModel& run = session_->run();
  // A checkpoint can be large, so none is saved twice.
  if (const wire::CheckpointInfo* saved = savedInPause(run)) {
    return done(RunPoint{QString::fromStdString(saved->file), {}});
  }
  if (run.isActive()) {
    return session_->engine().saveCheckpointForTry([done](const std::variant<wire::CheckpointInfo, Problem>& answer) {
      if (const auto* problem = std::get_if<Problem>(&answer)) return done(*problem);
      done(RunPoint{QString::fromStdString(std::get<wire::CheckpointInfo>(answer).file), {}});
    });
  }
  if (QFileInfo::exists(run.runFile())) return done(RunPoint{run.runFile(), {}});
  done(RunPoint{QString::fromStdString(run.checkpoints().back().file), {}});
}

void Tries::start(const TryWish& wish) {
  if (isRunning()) return;
  wish_ = wish;
  run_ = session_->run().identity();
  preparing_ = true;
  Q_EMIT started();
  if (const auto why = whyNot()) return startAt(*why);
  if (wish_.before == wish_.after) {
    return startAt(Problem{tr("Both policies are the same, so there is nothing to compare."),
                           tr("Edit the policy, or choose another one.")});
  }
  if (const auto point = pointAtEdit()) return startAt(*point);
  findPoint([this](const std::variant<RunPoint, Problem>& point) { startAt(point); });
}

void Tries::startAt(const std::variant<RunPoint, Problem>& point) {
  if (!std::exchange(preparing_, false)) return;  // cancelled meanwhile
  if (const auto* problem = std::get_if<Problem>(&point)) return take({std::nullopt, *problem});
  const auto& [run, from] = std::get<RunPoint>(point);
  TryOrder order{run, from, wish_.before, wish_.after, changeName(wish_, session_->run()), wish_.steps, wish_.seeds};
  if (QFileInfo::exists(run_.file)) order.record = run_.file;
  job_.setEngine(session_->engine().command());
  job_.start(order);
}

void Tries::cancel() {
  if (std::exchange(preparing_, false)) {
    return take({std::nullopt, Problem{tr("The Try was cancelled before it had measured anything.")}});
  }
  job_.cancel();
}

void Tries::take(const TryResult& result) {
  RunModel& run = session_->run();
  // If another run is shown by now: the engine has recorded the result in the file of its own run.
  int index = -1;
  if (result.trial && !result.trial->seeds.empty() && isOfShownRun()) {
    run.addTrial(*result.trial);
    index = static_cast<int>(run.trials().size()) - 1;
  }
  if (result.problem) session_->log().add({"warning", result.problem->text().toStdString()});
  Q_EMIT finished(result, index);
}

}  // namespace binade::app
