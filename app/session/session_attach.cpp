// SPDX-License-Identifier: Apache-2.0
// A session that is attached to a training which was started without it.
#include "app/session/attachment.h"
#include "app/session/session.h"

#include <utility>

namespace binade::app {

namespace {

constexpr int kNoConnection = 255;  // exit code of ssh

}  // namespace

void Session::attachTo(const EngineCommand& engine, bool watch) {
  if (!attachment_->isOn() && !attaches(engine_.command())) own_engine_ = engine_.command();
  leaveTraining();
  endEngine(tr("The window was attached to a training."));
  engine_.setWatching(watch);
  engine_.setCommand(engine);
  startEngine();
}

void Session::letGo() {
  if (!attachment_->isOn()) return;
  leaveTraining();
  useOwnEngine();
}

void Session::leaveTraining() {
  if (!attachment_->isOn()) return;
  frame_.flush();
  const QString training = attachment_->trainingText();
  attachment_->end();
  if (run_.isActive()) {
    let_go_ = true;
    run_.finish({wire::Outcome::kStopped,
                 static_cast<std::int64_t>(run_.steps().size()),
                 tr("The window let go of the training, which goes on.").toStdString(),
                 {}});
    log_.add({"info", tr("The window let go of %1. The training goes on.").arg(training).toStdString()});
  }
}

void Session::useOwnEngine() {
  forgetStarts();
  restarts_ = 0;
  if (engine_.state() != EngineClient::State::kStopped) engine_.shutDown();
  engine_.setWatching(false);
  engine_.setCommand(own_engine_);
  startEngine();
}

bool Session::isUndisturbed() const {
  return attachment_->isOn() && !attachment_->keepsEdits() && !run_.isEmpty() &&
         document_.policy() == run_.policies().back().policy && !description_.isModified();
}

// The end of the connection ends no training. ssh has an exit code of its own for a connection that it cannot make; any
// other engine that cannot attach again found no such training.
bool Session::keepAttached(const Problem& what) {
  if (!attachment_->isOn()) return false;
  frame_.flush();
  forgetStarts();
  if (!run_.isActive()) {
    const bool ended = attachment_->caughtUp().has_value();  // the training has ended, and said so
    attachment_->end();
    useOwnEngine();
    if (!ended) report(what);
    return true;
  }
  const bool first = attachment_->state() == Attachment::State::kConnected;
  const std::optional<int> code = engine_.exitCode();
  const bool unreachable = !host().isEmpty() && (!code || *code == kNoConnection);
  if (first || unreachable || !code) {
    if (first) {
      log_.add(
          {"warning",
           tr("The connection to %1 is lost. The training goes on.").arg(attachment_->trainingText()).toStdString()});
    }
    attachment_->lose(what);
    return true;
  }
  const QString training = attachment_->trainingText();
  const QString file = QString::fromStdString(attachment_->training().run_file);
  const QString said = engine_.errorOutput();
  attachment_->end();
  run_.finish({wire::Outcome::kStopped,
               static_cast<std::int64_t>(run_.steps().size()),
               tr("The training ended while the connection was lost.").toStdString(),
               {}});
  useOwnEngine();
  report({said.isEmpty() ? tr("%1 is not training any more.").arg(training)
                         : tr("%1 is not training any more: %2").arg(training, said),
          file.isEmpty()
              ? tr("It ended while the connection was lost.")
              : tr("It ended while the connection was lost. Its run file has all recorded steps: %1.").arg(file)});
  return true;
}

// After a connection that was cut: what the run lacks, or another run of the same training in its place.
void Session::continueRun(const std::vector<wire::RunNotification>& history, bool replace) {
  was_started_ = true;
  for (const wire::RunNotification& each : history) {
    if (replace || !std::holds_alternative<wire::RunStarted>(each)) receive(each);
  }
  frame_.flush();
  log_.add({"info", (replace ? tr("The connection is there again. The training was rewound meanwhile, and is shown as "
                                  "it is now.")
                             : tr("The connection is there again."))
                        .toStdString()});
}

}  // namespace binade::app
