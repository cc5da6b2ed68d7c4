// SPDX-License-Identifier: Apache-2.0
#include "app/window/run_bar.h"

#include "app/present/policy_change.h"
#include "app/session/session.h"
#include "app/window/actions.h"
#include "views/style/looks.h"
#include "views/theme.h"
#include "views/values/elide.h"
#include "views/values/numbers.h"

#include <QActionGroup>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

namespace binade::app {

namespace {

constexpr int kPolicyWidth = 240;
constexpr int kCentred = 1480;  // from this width on the middle column is centred

QWidget* line() {
  auto* line = new QFrame;
  line->setFixedSize(17, 20);
  line->setFrameShape(QFrame::VLine);
  return line;
}

QToolButton* buttonFor(QAction* action) {
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  button->setIconSize({16, 16});
  button->setFocusPolicy(Qt::TabFocus);
  button->setAccessibleName(action->text().remove(u'&'));
  return button;
}

}  // namespace

RunBar::RunBar(Actions* actions, Session* session, QMenu* policyMenu, QWidget* parent)
    : QToolBar(tr("Run"), parent), session_(session), step_(new QLabel), policy_(new QToolButton), engine_(new QLabel) {
  setObjectName(QStringLiteral("runBar"));
  setMovable(false);
  setFloatable(false);
  setContextMenuPolicy(Qt::PreventContextMenu);
  // Outer columns of equal width keep the middle column in place, whatever their contents.
  auto* bar = new QWidget;
  columns_ = new QGridLayout(bar);
  QGridLayout* columns = columns_;
  columns->setContentsMargins(12, 12, 12, 12);
  columns->setColumnStretch(0, 1);
  columns->setColumnStretch(2, 1);
  auto* left = new QHBoxLayout;
  left->setSpacing(4);
  left->addWidget(makeTransport(actions));
  left->addWidget(makeStep());
  left->addWidget(line());
  left->addWidget(buttonFor(actions->undo));
  left->addWidget(buttonFor(actions->redo));
  left->addWidget(line());
  policy_->setPopupMode(QToolButton::InstantPopup);
  policy_->setMenu(policyMenu);
  policy_->setToolButtonStyle(Qt::ToolButtonTextOnly);
  policy_->setAccessibleName(tr("Policy"));
  left->addWidget(policy_);
  left->addStretch();
  columns->addLayout(left, 0, 0);
  columns->addWidget(makeArrangements(actions), 0, 1);
  views::setTone(engine_, views::Tone::kSecond);
  engine_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  columns->addWidget(engine_, 0, 2);
  bar->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  addWidget(bar);

  connect(&session->run(), &RunModel::stepsAdded, this, &RunBar::updateStep);
  connect(&session->run(), &RunModel::reset, this, &RunBar::updateStep);
  connect(&session->run(), &RunModel::shownStepChanged, this, [this] {
    updateStep();
    updatePolicy();
  });
  connect(&session->run(), &RunModel::reset, this, &RunBar::updatePolicy);
  connect(&session->document(), &PolicyDocument::titleChanged, this, &RunBar::updatePolicy);
  connect(&session->document(), &PolicyDocument::changed, this, &RunBar::updatePolicy);
  connect(&session->engine(), &EngineClient::stateChanged, this, &RunBar::updateEngine);
  updateStep();
  updatePolicy();
  updateEngine();
}

// In a narrow window the middle is not centred: the policy's name needs the room that the engine's name does not.
void RunBar::resizeEvent(QResizeEvent* event) {
  QToolBar::resizeEvent(event);
  columns_->setColumnStretch(2, width() < kCentred ? 0 : 1);
}

QWidget* RunBar::makeTransport(Actions* actions) {
  auto* group = new QWidget;
  auto* layout = new QHBoxLayout(group);
  layout->setContentsMargins(0, 0, 8, 0);
  layout->setSpacing(2);
  const QList<QAction*> controls{actions->run, actions->pause, actions->step, actions->stop};
  QList<QToolButton*> buttons;
  for (QAction* action : controls) {
    buttons << buttonFor(action);
    layout->addWidget(buttons.back());
  }
  // The state of the run is filled: training, or paused.
  const auto light = [this, training = buttons[0], paused = buttons[1]] {
    const RunModel& run = session_->run();
    views::setLit(training, run.isActive() && run.state() == wire::RunState::kRunning);
    views::setLit(paused, run.isActive() && run.state() == wire::RunState::kPaused);
  };
  connect(&session_->run(), &RunModel::stateChanged, this, light);
  connect(&session_->run(), &RunModel::reset, this, light);
  return group;
}

QWidget* RunBar::makeStep() {
  auto* group = new QWidget;
  group->setMinimumWidth(72);
  auto* layout = new QVBoxLayout(group);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  auto* label = new QLabel(tr("Step"));
  views::setTone(label, views::Tone::kSecond);
  label->setFont(views::textFont(11));
  step_->setFont(views::figureFont(12, QFont::DemiBold));
  step_->setAccessibleName(tr("Step"));
  layout->addWidget(label);
  layout->addWidget(step_);
  return group;
}

QWidget* RunBar::makeArrangements(Actions* actions) {
  auto* group = new QWidget;
  auto* layout = new QHBoxLayout(group);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  for (QAction* action : actions->arrangements->actions()) {
    QToolButton* button = buttonFor(action);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    views::setSegment(button);
    button->setAccessibleName(tr("Arrangement: %1").arg(action->text().remove(u'&')));
    layout->addWidget(button);
  }
  return group;
}

void RunBar::updateStep() {
  const auto& steps = session_->run().steps();
  const auto shown = session_->run().shownStep();
  step_->setText(steps.empty() ? QStringLiteral("–")
                 : shown       ? tr("%1 of %2").arg(views::grouped(*shown), views::grouped(steps.back().step))
                               : views::grouped(steps.back().step));
}

void RunBar::updatePolicy() {
  if (session_->run().isEmpty() && session_->document().file().isEmpty() && !session_->document().isModified()) {
    policy_->setText(tr("Policy: none"));
    return;
  }
  if (session_->run().shownStep()) {
    const QString text = tr("Policy: %1").arg(policyStart(session_->run().shownPolicy().policy).title);
    policy_->setText(views::elidedMiddle(text, policy_->font(), kPolicyWidth - 16));
    policy_->setToolTip(text + u'\n' + tr("The policy in force at the shown step"));
    return;
  }
  const PolicyDocument& document = session_->document();
  const int changes = document.changeCount();
  QString text = tr("Policy: %1").arg(document.title());
  if (changes > 0) text += QStringLiteral(" · ") + (changes == 1 ? tr("1 change") : tr("%1 changes").arg(changes));
  if (document.isModified()) text += u'*';
  policy_->setText(views::elidedMiddle(text, policy_->font(), kPolicyWidth - 16));
  policy_->setToolTip(text + u'\n' +
                      (document.isModified() ? tr("The policy has unsaved changes") : tr("The policy of the run")));
}

void RunBar::updateEngine() {
  EngineClient& engine = session_->engine();
  switch (engine.state()) {
    case EngineClient::State::kReady:
      engine_->setText(
          session_->host().isEmpty()
              ? tr("Engine: %1").arg(QString::fromStdString(engine.welcome().device))
              : tr("Engine on %1: %2").arg(session_->host(), QString::fromStdString(engine.welcome().device)));
      break;
    case EngineClient::State::kStarting:
      engine_->setText(tr("Engine: starting"));
      break;
    case EngineClient::State::kStopped:
      engine_->setText(tr("Engine: not running"));
      break;
  }
}

}  // namespace binade::app
