// SPDX-License-Identifier: Apache-2.0
#include "app/session/session.h"

#include "app/present/site_text.h"
#include "app/session/attachment.h"
#include "app/session/searches.h"
#include "app/session/ssh_advice.h"
#include "app/session/tries.h"
#include "views/values/numbers.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace binade::app {

namespace {

constexpr int kMostRestarts = 3;             // most restarts of an engine that keeps dying ...
constexpr qint64 kRestartWindowMs = 60'000;  // ... within a minute

}  // namespace

Session::Session(EngineCommand engine, QSettings* settings, QObject* parent)
    : QObject(parent),
      recent_(settings),
      scale_warning_(&run_),
      frame_(&run_),
      attachment_(new Attachment(this)),
      own_engine_(engineCommand({})),
      engine_(std::move(engine)) {
  tries_ = std::make_unique<Tries>(this);
  searches_ = std::make_unique<Searches>(this);
  undo_.addStack(document_.undoStack());
  undo_.addStack(description_.undoStack());
  undo_.setActiveStack(document_.undoStack());
  // Connected before the receivers of reset that read the selection, which belongs to the old run.
  connect(&run_, &RunModel::reset, &selection_, &Selection::clear);
  connect(&run_, &RunModel::reset, this, [this] { ++runs_; });
  connect(&selection_, &Selection::shownChanged, &run_, &RunModel::showStep);
  // The selected event keeps its selection under its new index. A removed event is deselected before its removal,
  // because a table would select its neighbour.
  connect(&run_, &RunModel::eventsAboutToGo, this, [this](int first, int count) {
    if (selection_.event() >= first && selection_.event() < first + count) selection_.setEvent(-1);
  });
  connect(&run_, &RunModel::eventsMoved, this, [this](int first, int count) {
    if (selection_.event() >= first + count) selection_.setEvent(selection_.event() - count);
  });
  connect(&loader_, &RunFileLoader::progress, this, &Session::opening);
  connect(&second_, &SecondRun::failed, this, &Session::report);
  connect(&second_, &SecondRun::changed, this, [this] {
    if (!second_.isEmpty()) recent_.add(second_.file());
  });
  connectEngine();
  connectPolicy();
  connectLog();
  connect(&scale_warning_, &ScaleWarning::raised, this, &Session::report);
  connect(&scale_warning_, &ScaleWarning::over, this, &Session::problemOver);
}

Session::~Session() {
  engine_.disconnect(this);
}

void Session::connectEngine() {
  connect(&engine_, &EngineClient::ready, this, [this](const wire::Welcome& welcome) {
    was_ready_ = true;
    takeLinkDetail({});
    attachment_->begin(welcome.attached);
  });
  connect(&engine_, &EngineClient::stopped, this, &Session::engineStopped);
  connect(&engine_, &EngineClient::notified, this, &Session::receive);
}

// Keeps what a run reports, in its order, until the end of the frame, so that all docks show the same step. What the
// user waits for is shown at once, and a skipped step or an event soon.
void Session::receive(const wire::RunNotification& notification) {
  if (attachment_->take(notification)) return;
  const auto add = [this](const auto& value) { frame_.add([this, value] { run_.add(value); }); };
  std::visit(wire::Overloaded{
                 [this](const wire::LogLine& line) {
                   if (line.level == "progress") {
                     Q_EMIT busy(QString::fromStdString(line.text));
                   } else {
                     log_.add(line);
                   }
                 },
                 [this](const wire::RunStarted& started) { takeStarted(started); },
                 [this, add](const wire::StateChanged& state) {
                   add(state);
                   frame_.flush();
                 },
                 [this](const wire::PolicyApplied& applied) { takePolicy(applied); },
                 [this, add](const wire::StepBatch& batch) {
                   add(batch);
                   const auto skipped = [](const wire::StepRecord& step) { return !step.stepped; };
                   if (std::any_of(batch.steps.begin(), batch.steps.end(), skipped)) frame_.hurry();
                 },
                 [this, add](const wire::Event& event) {
                   add(event);
                   frame_.hurry();
                 },
                 [this](const wire::ScalerChanged& change) {
                   frame_.add([this, change] {
                     const bool followed = !description_.isModified();
                     run_.add(change);
                     if (followed) description_.adopt(run_.config());
                   });
                   frame_.flush();
                 },
                 [this](const wire::Rewound& rewound) {
                   frame_.flush();
                   run_.add(rewound);
                   asked_comparison_.reset();  // the run may come to that step again, and compare it by itself
                   log_.add({"info", tr("Rewound to step %1.").arg(views::grouped(rewound.step)).toStdString()});
                 },
                 [this](const wire::Float32Comparison& comparison) {
                   frame_.add([this, comparison] { takeComparison(comparison); });
                 },
                 [this](const wire::Finished& finished) { takeFinished(finished); },
                 [](const wire::ObserveCost& /*cost*/) {},  // the status line shows it
                 [this](const wire::LinkDetail& detail) { takeLinkDetail(detail); },
                 [](const wire::LinkMark& /*mark*/) {},       // the engine client answers it
                 [](const wire::Peers& /*peers*/) {},         // the attachment took it
                 [](const wire::CaughtUp& /*caught_up*/) {},  // the attachment took it
                 add,
             },
             notification);
}

void Session::takePolicy(const wire::PolicyApplied& applied) {
  frame_.add([this, applied] { run_.add(applied); });
  frame_.flush();
  if (attachment_->follows(applied)) document_.adopt(applied.policy, applied.revision);
}

void Session::takeLinkDetail(const wire::LinkDetail& detail) {
  if (detail == link_detail_) return;
  if (detail.slow && !link_detail_.slow) {
    log_.add({"warning", tr("The link to %1 is slow, so the engine leaves out details. The run file has them all.")
                             .arg(host())
                             .toStdString()});
  }
  link_detail_ = detail;
  Q_EMIT linkDetailChanged();
}

void Session::takeStarted(const wire::RunStarted& started) {
  was_started_ = true;
  let_go_ = false;
  endStart();
  frame_.flush();
  asked_comparison_.reset();
  run_.setFilesElsewhere(!host().isEmpty());
  run_.begin(started, RunModel::Source::kLive);
  description_.adopt(started.config);
  const bool keep_policy = std::exchange(keep_policy_, false) && !(document_.policy() == started.policy.policy);
  if (attachment_->isOn()) {
    if (!attachment_->keepsEdits()) document_.adopt(started.policy.policy, started.policy.revision);
  } else if (document_.policy() == policy_at_request_ && !keep_policy) {
    document_.adopt(started.policy.policy, started.policy.revision);
  } else {
    // Edited while the run was loading, or kept in a rewind: applies the edits from its first steps.
    engine_.setPolicy(document_.policy(), document_.revision(), reporting());
  }
  if (!started.run_file.empty() && host().isEmpty()) recent_.add(QString::fromStdString(started.run_file));
  cancelOpening();  // last: receivers of openFailed() meet the started run
}

void Session::takeFinished(const wire::Finished& finished) {
  if (!std::exchange(was_started_, false)) {  // its loading failed
    endStart();
    announceNoStart();
  }
  endBusy();
  frame_.add([this, finished] { run_.add(finished); });
  frame_.flush();
  noteRun();
  if (finished.outcome == wire::Outcome::kFailed) {
    report({QString::fromStdString(finished.message), QString::fromStdString(finished.hint)});
  }
  reportExaminedStep();
  if (const auto next = std::exchange(next_run_, nullptr)) next();
}

// For the one step of a run that failed elsewhere: selects its event, or reports that the step was finite.
void Session::reportExaminedStep() {
  if (run_.config().optimizer.kind != "none" || run_.steps().empty()) return;
  if (!run_.events().empty()) return selectEvent(0);
  report(
      {tr("This step was finite. No op call and no gradient overflowed."),
       tr("Use the batch and the loss scale of the failed step. Op calls shows the doublings left for each op call.")});
}

void Session::connectPolicy() {
  connect(&document_, &PolicyDocument::refused, this, [this](const QString& why) {
    report({tr("The policy was not changed."), why});
  });
  connect(&document_, &PolicyDocument::changed, this, [this](const policy::Policy& policy, int revision) {
    // An edit is of the newest step, whichever step it was made beside.
    if (selection_.shown()) selection_.setShown(std::nullopt);
    // Without an active run the edit stays in the document, and applies to the next run.
    // One to which the connection is cut gets it once the connection is there again.
    if (!run_.isActive() || rewinding_ || attachment_->state() == Attachment::State::kLost) return;
    engine_.setPolicy(policy, revision, reporting());
  });
}

void Session::connectLog() {
  const auto log = [this](const QString& text) { log_.add({"info", text.toStdString()}); };
  connect(&engine_, &EngineClient::ready, this, [log](const wire::Welcome& welcome) {
    log(tr("Engine %1 is ready: LibTorch %2, %3.")
            .arg(QString::fromStdString(welcome.version), QString::fromStdString(welcome.libtorch),
                 QString::fromStdString(welcome.device)));
  });
  connect(&run_, &RunModel::reset, this, &Session::logRun);
  connect(&run_, &RunModel::policyAdded, this, [this](int index) { logPolicy(static_cast<std::size_t>(index)); });
  connect(&run_, &RunModel::evaluationAdded, this,
          [this](int index) { logEvaluation(run_.evaluations()[static_cast<std::size_t>(index)]); });
  connect(&run_, &RunModel::stateChanged, this, [this] {
    if (run_.finished() && !let_go_) {
      logAboutRun("info", tr("The run ended after %1 steps: %2.")
                              .arg(run_.finished()->steps)
                              .arg(QString::fromStdString(wire::name(run_.finished()->outcome))));
    }
  });
}

// What a run file says happened when the run was recorded, not now.
void Session::logAboutRun(const char* level, const QString& text) {
  const wire::LogLine line{level, text.toStdString()};
  if (run_.source() == RunModel::Source::kFile) {
    log_.addRecorded(line);
  } else {
    log_.add(line);
  }
}

void Session::logRun() {
  const bool file = run_.source() == RunModel::Source::kFile;
  if (run_.isEmpty() || (!file && !run_.steps().empty())) return;  // a rewound run is not a new one
  logAboutRun("info", tr("Run %1 of %2: batches of %3, %4 steps.")
                          .arg(QString::fromStdString(run_.config().name), QString::fromStdString(run_.config().model))
                          .arg(run_.config().batch)
                          .arg(run_.config().steps));
  if (!file) return;
  // The engine of a live run logs its findings itself, and the rest comes step by step.
  logFindings(run_.policies().front().findings, {});
  std::size_t policy = 1;
  const auto logPolicies = [&](std::int64_t until) {
    while (policy < run_.policies().size() && run_.policies()[policy].step < until) logPolicy(policy++);
  };
  for (const wire::Evaluated& evaluated : run_.evaluations()) {
    logPolicies(evaluated.step);
    logEvaluation(evaluated);
  }
  logPolicies(std::numeric_limits<std::int64_t>::max());
}

void Session::logPolicy(std::size_t index) {
  const wire::PolicyApplied& applied = run_.policies()[index];
  const wire::PolicyApplied& before = run_.policies()[index - 1];
  logAboutRun("info", tr("Policy revision %1 applies from step %2: %3.")
                          .arg(applied.revision)
                          .arg(views::grouped(applied.step))
                          .arg(policyChangeText(before, applied, run_.sites())));
  logFindings(applied.findings, before.findings);
}

void Session::logEvaluation(const wire::Evaluated& evaluated) {
  logAboutRun("info", tr("Accuracy %1 on the test data after %2 steps, loss %3.")
                          .arg(views::share(evaluated.accuracy))
                          .arg(views::grouped(evaluated.step))
                          .arg(views::figure(evaluated.loss)));
}

// Findings that the previous policy had too are not logged again.
void Session::logFindings(const std::vector<policy::Finding>& findings, const std::vector<policy::Finding>& logged) {
  for (const policy::Finding& finding : findings) {
    const auto same = [&](const policy::Finding& each) { return each.message == finding.message; };
    if (std::any_of(logged.begin(), logged.end(), same)) continue;
    const bool note = finding.severity == policy::Finding::Severity::kNote;
    logAboutRun(note ? "info" : "warning", QStringLiteral("policy: ") + QString::fromStdString(finding.message));
  }
}

EngineClient::Done Session::reporting() {
  return [this](const std::optional<Problem>& problem) {
    if (!problem) return;
    endBusy();
    // engineStopped() reports the death of the engine once, instead of every open request.
    if (engine_.state() != EngineClient::State::kStopped) report(*problem);
  };
}

EngineClient::Done Session::starting() {
  policy_at_request_ = document_.policy();
  keep_policy_ = false;
  ++pending_starts_;
  return [this](const std::optional<Problem>& problem) {
    if (problem) {
      endStart();
      announceNoStart();
    }
    reporting()(problem);
  };
}

// A request that was refused leaves an earlier one pending.
void Session::endStart() {
  if (pending_starts_ > 0) --pending_starts_;
  endBusy();
}

// While a run is starting, that is what the user waits for.
void Session::endBusy() {
  if (pending_starts_ == 0) Q_EMIT busy({});
}

void Session::forgetStarts() {
  next_run_ = nullptr;
  pending_starts_ = 0;
  was_started_ = false;
  endBusy();
  announceNoStart();
}

// Later: the problem is reported first, and another start may follow at once.
void Session::announceNoStart() {
  QMetaObject::invokeMethod(
      this,
      [this] {
        if (pending_starts_ == 0 && !next_run_) Q_EMIT startAbandoned();
      },
      Qt::QueuedConnection);
}

void Session::report(const Problem& problem) {
  log_.add({"error", problem.text().toStdString()});
  Q_EMIT this->problem(problem);
}

void Session::startEngine() {
  was_ready_ = false;
  engine_.start();
}

void Session::restartEngine() {
  if (attachment_->isOn()) {  // only the connection
    if (engine_.state() != EngineClient::State::kStopped) engine_.shutDown();
    attachment_->lose({tr("The connection was ended to make it again."), {}});
    return attachment_->reconnect();
  }
  endEngine(tr("The engine was restarted."));
  startEngine();
}

void Session::cancelWaiting() {
  if (pending_starts_ > 0 && engine_.state() == EngineClient::State::kReady) return restartEngine();
  engine_.cancelRequests();
}

void Session::connectTo(const EngineCommand& engine) {
  if (attaches(engine)) return attachTo(engine);
  if (attachment_->isOn()) {
    own_engine_ = engine;
    return letGo();
  }
  endEngine(tr("The window was connected to another engine."));
  engine_.setCommand(engine);
  startEngine();
}

void Session::endEngine(const QString& why) {
  restarts_ = 0;
  forgetStarts();
  frame_.flush();
  if (engine_.state() == EngineClient::State::kStopped) return;
  if (run_.isActive()) {
    run_.finish({wire::Outcome::kStopped, static_cast<std::int64_t>(run_.steps().size()), why.toStdString(), {}});
  }
  engine_.shutDown();
}

void Session::engineStopped(const Problem& stopped) {
  Problem what = stopped;
  // Another computer did not get as far as to answer.
  if (what.hint.isEmpty() && !was_ready_ && !host().isEmpty()) {
    what.hint = sshAdvice(host(), engine_.errorOutput(), engine_.exitCode());
  }
  if (keepAttached(what)) return;
  frame_.flush();
  forgetStarts();
  Problem shown = what;
  const bool in_run = run_.isActive();
  if (in_run) {
    run_.finish({wire::Outcome::kFailed, static_cast<std::int64_t>(run_.steps().size()), what.message.toStdString(),
                 what.hint.toStdString()});
  }
  if (!since_restart_.isValid() || since_restart_.elapsed() > kRestartWindowMs) restarts_ = 0;
  // An engine that was never ready would fail again in the same way.
  const bool again = was_ready_ && restarts_ < kMostRestarts;
  if (again) {
    if (in_run) shown.hint = tr("The engine was restarted. Your edits are kept; restart the run to apply them.");
    if (in_run && canResumeFromCheckpoint()) {
      shown.hint = tr("The engine was restarted. Your edits are kept. The last checkpoint is at step %1.")
                       .arg(views::grouped(run_.checkpoints().back().step));
    }
    if (!in_run) shown.hint = tr("The engine was restarted. No data was lost.");
  } else if (engine_.cannotConfine()) {
    shown.hint = tr("The settings state whether such an engine is started.");
  } else if (was_ready_) {
    shown.hint = tr("The engine ended repeatedly. Your edits are kept. Restart it from the Run menu.");
  }
  const bool can_install = engine_.lacksLibTorch() && isLocal(engine_.command());
  if (engine_.lacksLibTorch()) {
    shown.hint = can_install ? tr("Restart the engine from the Run menu to be asked again.")
                             : tr("Run binade-engine setup on the computer of the engine.");
  }
  report(shown);
  if (can_install) return Q_EMIT libtorchMissing();
  if (engine_.cannotConfine()) return Q_EMIT engineNotConfined(engine_.errorOutput());
  if (in_run && again && canResumeFromCheckpoint()) Q_EMIT resumeOffered(run_.checkpoints().back().step);
  if (again) {
    ++restarts_;
    since_restart_.start();
    startEngine();
  }
}

}  // namespace binade::app
