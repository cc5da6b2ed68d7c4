// SPDX-License-Identifier: Apache-2.0
#include "app/window/attach_bar.h"

#include "app/session/attachment.h"
#include "app/session/session.h"
#include "views/elided_label.h"
#include "views/style/looks.h"
#include "views/values/numbers.h"

#include <QDateTime>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>

namespace binade::app {

namespace {

constexpr int kSecondMs = 1000;

}  // namespace

AttachBar::AttachBar(Session* session, QWidget* parent)
    : QToolBar(tr("Attached training"), parent),
      session_(session),
      strip_(new QFrame),
      role_(new views::Badge),
      text_(new views::ElidedLabel),
      second_(new views::ElidedLabel),
      role_button_(new QPushButton(tr("Take over editing"))),
      reconnect_(new QPushButton(tr("Reconnect now"))),
      let_go_(new QPushButton(tr("Let go"))) {
  setObjectName(QStringLiteral("attached"));
  setMovable(false);
  setContextMenuPolicy(Qt::PreventContextMenu);
  role_->setAccessibleName(tr("Role of this window"));
  text_->setAccessibleName(tr("Attached training"));
  views::setTone(second_, views::Tone::kSecond);
  let_go_->setToolTip(tr("Ends the connection. The training goes on, as it does when the window is closed."));
  reconnect_->setToolTip(tr("Tries at once to connect again"));
  auto* row = new QHBoxLayout(strip_);
  row->setContentsMargins(12, 6, 12, 6);
  row->setSpacing(8);
  row->addWidget(role_);
  row->addWidget(text_);
  row->addWidget(second_, 1);
  for (QPushButton* button : {reconnect_, role_button_, let_go_}) {
    button->setAutoDefault(false);
    row->addWidget(button);
  }
  strip_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  addWidget(strip_);
  Attachment& attachment = session_->attachment();
  connect(role_button_, &QPushButton::clicked, &attachment,
          [&attachment] { attachment.isEditor() ? attachment.releaseEditing() : attachment.takeEditing(); });
  connect(reconnect_, &QPushButton::clicked, &attachment, &Attachment::reconnect);
  connect(let_go_, &QPushButton::clicked, session_, &Session::letGo);
  connect(&attachment, &Attachment::changed, this, &AttachBar::update);
  // A layout that is restored shows the bars as they were then.
  const auto follow = [this] {
    if (isHidden() == session_->attachment().isOn()) setVisible(session_->attachment().isOn());
  };
  connect(this, &QToolBar::visibilityChanged, this, follow, Qt::QueuedConnection);
  countdown_.setInterval(kSecondMs);
  connect(&countdown_, &QTimer::timeout, this, &AttachBar::update);
  update();
}

QString AttachBar::role() const {
  return role_->text();
}

QString AttachBar::text() const {
  return text_->text() + u' ' + second_->text();
}

void AttachBar::update() {
  const Attachment& attachment = session_->attachment();
  const bool lost = attachment.state() == Attachment::State::kLost;
  setVisible(attachment.isOn());
  if (lost != countdown_.isActive()) lost ? countdown_.start() : countdown_.stop();
  if (!attachment.isOn()) return;
  const bool editor = attachment.isEditor();
  const QString training = attachment.trainingText();
  views::setSurface(strip_, lost ? views::Surface::kProblem : views::Surface::kNotice);
  role_->setText(lost ? tr("LOST") : editor ? tr("EDITOR") : tr("WATCHER"));
  reconnect_->setVisible(lost);
  role_button_->setVisible(!lost);
  role_button_->setText(editor ? tr("Let others edit") : tr("Take over editing"));
  role_button_->setToolTip(editor ? tr("This window watches from then on")
                                  : tr("This window edits from then on, and the one that edits now watches"));
  if (lost) {
    text_->setText(tr("The connection to %1 is lost; the training goes on.").arg(training));
    const int seconds = attachment.secondsLeft();
    second_->setText(
        seconds > 0
            ? tr("Next attempt in %1 s. What was received stays, and so do your edits.").arg(seconds)
            : tr("Connecting, attempt %1. What was received stays, and so do your edits.").arg(attachment.attempts()));
    second_->setToolTip(attachment.lostBy().text(u'\n').toHtmlEscaped());
    return;
  }
  text_->setText(editor ? tr("Attached to %1 as its editor.").arg(training)
                        : tr("Attached to %1 as a watcher.").arg(training));
  const QString other = attachment.otherEditor();
  const int others = attachment.others();
  QStringList parts;
  if (!other.isEmpty()) parts << tr("%1 edits.").arg(other);
  if (other.isEmpty() && !editor) parts << tr("Nobody edits.");
  if (others == 1) parts << tr("1 other window.");
  if (others > 1) parts << tr("%1 other windows.").arg(others);
  parts << tr("Closing this window does not stop the training.");
  second_->setText(parts.join(u' '));
  const wire::AttachedRun& run = attachment.training();
  QString tip = tr("Process %1, started %2")
                    .arg(QString::number(run.process),
                         QLocale().toString(QDateTime::fromSecsSinceEpoch(run.since), QLocale::ShortFormat));
  if (const auto& past = attachment.caughtUp(); past && past->steps > 0) {
    tip += u'\n' + tr("%1 earlier steps are only in the run file.").arg(views::grouped(past->steps));
  }
  second_->setToolTip(tip);
}

}  // namespace binade::app
