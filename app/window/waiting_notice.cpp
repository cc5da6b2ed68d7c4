// SPDX-License-Identifier: Apache-2.0
#include "app/window/waiting_notice.h"

#include "app/session/session.h"
#include "app/window/banner_questions.h"

#include <QLocale>

namespace binade::app {

namespace {
constexpr auto kWaitingQuestion = "waiting for the engine";
}  // namespace

WaitingNotice::WaitingNotice(Session* session, BannerQuestions* questions, QObject* parent)
    : QObject(parent), session_(session), questions_(questions) {
  connect(&session_->engine(), &EngineClient::waiting, this, &WaitingNotice::ask);
  connect(&session_->engine(), &EngineClient::waitingEnded, this,
          [this] { questions_->withdraw(QLatin1String(kWaitingQuestion)); });
}

void WaitingNotice::ask(const QString& method, double seconds) {
  questions_->ask(
      {.id = QLatin1String(kWaitingQuestion),
       .message = tr("The engine has not responded to %1 for %2 s.").arg(method, QLocale().toString(seconds)),
       .hint = tr("It may still be working. Restarting it ends the run in progress; edits are kept."),
       .yes = tr("Cancel"),
       .on_yes = [this] { session_->cancelWaiting(); },
       .no = tr("Restart engine"),
       .on_no = [this] { session_->restartEngine(); }});
}

}  // namespace binade::app
