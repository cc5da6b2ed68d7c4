// SPDX-License-Identifier: Apache-2.0
#include "app/session/attachment.h"

#include "app/session/continuation.h"
#include "app/session/session.h"
#include "views/values/numbers.h"

#include <algorithm>
#include <utility>

namespace binade::app {

namespace {

constexpr int kMostDoublings = 5;

}  // namespace

Attachment::Attachment(Session* session) : QObject(session), session_(session) {
  retry_.setSingleShot(true);
  connect(&retry_, &QTimer::timeout, this, &Attachment::reconnect);
}

std::string Attachment::nameOf(std::int64_t peer) const {
  const auto found =
      std::find_if(peers_.peers.begin(), peers_.peers.end(), [&](const wire::Peer& each) { return each.id == peer; });
  return found == peers_.peers.end() ? std::string() : found->name;
}

QString Attachment::otherEditor() const {
  if (!isOn() || peers_.editor == 0 || peers_.editor == peers_.you) return {};
  const QString name = QString::fromStdString(nameOf(peers_.editor));
  return name.isEmpty() ? tr("another window") : name;
}

int Attachment::others() const {
  return static_cast<int>(std::count_if(peers_.peers.begin(), peers_.peers.end(),
                                        [this](const wire::Peer& each) { return each.id != peers_.you; }));
}

QString Attachment::trainingText() const {
  const QString name = QString::fromStdString(training_.name);
  const QString host = session_->host();
  return host.isEmpty() ? name : tr("%1 on %2").arg(name, host);
}

QString Attachment::whyNoEdit() const {
  if (state_ == State::kNone || isEditor()) return {};
  if (state_ == State::kLost) return tr("The connection to the training is lost.");
  const QString editor = otherEditor();
  return editor.isEmpty()
             ? tr("This window only watches the training. Take over editing first.")
             : tr("%1 edits the training, and this window watches it. Take over editing first.").arg(editor);
}

int Attachment::secondsLeft() const {
  return retry_.isActive() ? (retry_.remainingTime() + 999) / 1000 : 0;
}

void Attachment::begin(const std::optional<wire::AttachedRun>& attached) {
  retry_.stop();
  if (!attached) {
    if (isOn()) end();
    return;
  }
  const bool same =
      attached->process == training_.process && attached->since == training_.since && attached->host == training_.host;
  catching_up_ = state_ == State::kLost && same && session_->run().isActive();
  keeps_edits_ = catching_up_ && !(session_->document().policy() == session_->run().policies().back().policy);
  history_.clear();
  caught_up_.reset();
  peers_ = {};
  training_ = *attached;
  attempts_ = 0;
  state_ = State::kConnected;
  update();
}

void Attachment::end() {
  retry_.stop();
  state_ = State::kNone;
  training_ = {};
  peers_ = {};
  caught_up_.reset();
  catching_up_ = false;
  keeps_edits_ = false;
  was_editor_ = false;
  attempts_ = 0;
  history_.clear();
  update();
}

void Attachment::lose(const Problem& why) {
  if (state_ == State::kConnected) was_editor_ = isEditor();
  state_ = State::kLost;
  catching_up_ = false;
  history_.clear();
  peers_ = {};
  lost_by_ = why;
  schedule();
  update();
}

void Attachment::schedule() {
  retry_.start(first_pause_ * (1 << std::min(attempts_, kMostDoublings)));
}

void Attachment::reconnect() {
  if (state_ != State::kLost || session_->engine().state() != EngineClient::State::kStopped) return;
  retry_.stop();
  ++attempts_;
  // The same training, whichever others have begun since.
  const EngineCommand command = session_->engine().command();
  if (attaches(command)) {
    session_->engine().setCommand(attachCommand(command, QString::number(training_.process)));
  }
  session_->startEngine();
  Q_EMIT changed();
}

// The run and the policy follow the role. A watcher has nothing to undo: what it edited before is in the training.
void Attachment::update() {
  const bool watches = state_ == State::kConnected && !isEditor();
  PolicyDocument& document = session_->document();
  document.setReadOnly(watches && !keeps_edits_ ? whyNoEdit() : QString());
  session_->run().setEditBarred(whyNoEdit());
  if (watches && !keeps_edits_ && peers_.you != 0) document.undoStack()->clear();
  Q_EMIT changed();
}

bool Attachment::take(const wire::RunNotification& notification) {
  if (const auto* peers = std::get_if<wire::Peers>(&notification)) {
    peers_ = *peers;
    // The connection that was cut may still count as the editor, under the same name.
    const bool own = peers_.editor != 0 && peers_.editor != peers_.you && nameOf(peers_.editor) == nameOf(peers_.you);
    if (std::exchange(was_editor_, false) && (own || peers_.editor == 0)) takeEditing();
    update();
    return true;
  }
  if (const auto* caught_up = std::get_if<wire::CaughtUp>(&notification)) {
    finishHistory(*caught_up);
    return true;
  }
  const bool of_connection =
      std::holds_alternative<wire::LinkDetail>(notification) || std::holds_alternative<wire::LogLine>(notification);
  if (!catching_up_ || of_connection) return false;
  history_.push_back(notification);
  return true;
}

void Attachment::finishHistory(const wire::CaughtUp& caught_up) {
  const bool again = std::exchange(catching_up_, false);
  caught_up_ = caught_up;
  if (!again && caught_up.steps > 0) {
    session_->log().add({"info", tr("The engine did not send the first %1 steps. The run file has them.")
                                     .arg(views::grouped(caught_up.steps))
                                     .toStdString()});
  }
  const std::vector<wire::RunNotification> history = std::exchange(history_, {});
  if (again) {
    const auto lacking = continuation(session_->run(), history);
    session_->continueRun(lacking ? *lacking : history, !lacking);
    if (!lacking) Q_EMIT replaced();
  }
  if (keeps_edits_ && session_->document().policy() == session_->run().policies().back().policy) keeps_edits_ = false;
  update();
  if (keeps_edits_) Q_EMIT editsKept();
}

bool Attachment::follows(const wire::PolicyApplied& applied) const {
  if (!isOn() || keeps_edits_) return false;
  // An edit of this window that is on its way has a later revision.
  return !(isEditor() && session_->document().revision() > applied.revision);
}

void Attachment::takeEditing() {
  if (state_ == State::kConnected) session_->engine().takeEditing(session_->reporting());
}

void Attachment::releaseEditing() {
  if (isEditor()) session_->engine().releaseEditing(session_->reporting());
}

void Attachment::applyKeptEdits() {
  if (!keeps_edits_ || state_ != State::kConnected) return;
  const auto apply = [this] {
    keeps_edits_ = false;
    const wire::PolicyApplied& newest = session_->run().policies().back();
    session_->document().adopt(session_->document().policy(), newest.revision);
    session_->document().announce();
    update();
  };
  if (isEditor()) return apply();
  session_->engine().takeEditing([this, apply](const std::optional<Problem>& problem) {
    if (problem) return session_->reporting()(problem);
    if (keeps_edits_) apply();
  });
}

void Attachment::dropKeptEdits() {
  if (!std::exchange(keeps_edits_, false)) return;
  const wire::PolicyApplied& newest = session_->run().policies().back();
  session_->document().adopt(newest.policy, newest.revision);
  update();
}

}  // namespace binade::app
