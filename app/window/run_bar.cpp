// SPDX-License-Identifier: Apache-2.0
#include "app/window/run_bar.h"

#include "app/present/policy_change.h"
#include "app/session/session.h"
#include "app/window/actions.h"
#include "views/icons.h"
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
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <initializer_list>

namespace binade::app {

namespace {

constexpr int kPolicyWidth = 190;
constexpr int kEngineWidth = 220;
constexpr int kNarrowEngineWidth = 112;  // `CPU, 2 threads`
constexpr int kCentred = 1480;  // from this width on the middle column is centred, and buttons have longer texts

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

// A policy's name, with the number of its changes against the base list.
QString policyText(const policy::Policy& policy) {
  const QString name = titleOf(policy);
  const int changes = changeCount(policy);
  if (changes == 0) return name;
  return name + QStringLiteral(" · ") +
         (changes == 1 ? RunBar::tr("1 change") : RunBar::tr("%1 changes").arg(views::grouped(changes)));
}

}  // namespace

RunBar::RunBar(Actions* actions, Session* session, QMenu* policyMenu, QWidget* parent)
    : QToolBar(tr("Run"), parent),
      session_(session),
      step_(new QLabel),
      policy_(new QToolButton),
      export_(new QPushButton),
      engine_(new QPushButton) {
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
  left->addWidget(buttonFor(actions->undo_and_rewind));
  left->addWidget(line());
  left->addWidget(makePolicy(policyMenu));
  left->addStretch();
  columns->addLayout(left, 0, 0);
  columns->addWidget(makeArrangements(actions), 0, 1);
  columns->addWidget(makeMenus(actions), 0, 2, Qt::AlignRight);
  // Otherwise the long texts of a wide window would keep it from becoming narrow, where they are short.
  constexpr int kLeastWidth = 56;
  for (QWidget* each : std::initializer_list<QWidget*>{policy_, export_, engine_}) each->setMinimumWidth(kLeastWidth);
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

// In a narrow window the middle is not centred, and texts are shorter.
void RunBar::resizeEvent(QResizeEvent* event) {
  QToolBar::resizeEvent(event);
  columns_->setColumnStretch(2, isNarrow() ? 0 : 1);
  export_->setText(isNarrow() ? QString() : u' ' + tr("Export"));  // Qt leaves little room beside the icon
  updatePolicy();
  updateEngine();
}

bool RunBar::isNarrow() const {
  return width() < kCentred;
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

// A small label above what it names.
QWidget* RunBar::makeCaptioned(const QString& caption, QWidget* shown) {
  auto* group = new QWidget;
  auto* layout = new QVBoxLayout(group);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  auto* label = new QLabel(caption);
  views::setTone(label, views::Tone::kSecond);
  label->setFont(views::textFont(11));
  layout->addWidget(label);
  layout->addWidget(shown, 0, Qt::AlignLeft);
  return group;
}

QWidget* RunBar::makeStep() {
  step_->setFont(views::figureFont(12, QFont::DemiBold));
  step_->setAccessibleName(tr("Step"));
  step_->setMinimumWidth(72);
  return makeCaptioned(tr("Step"), step_);
}

QWidget* RunBar::makePolicy(QMenu* menu) {
  policy_->setPopupMode(QToolButton::InstantPopup);
  policy_->setMenu(menu);
  policy_->setToolButtonStyle(Qt::ToolButtonTextOnly);
  policy_->setFocusPolicy(Qt::TabFocus);
  policy_->setAccessibleName(tr("Policy"));
  views::setInline(policy_);
  return makeCaptioned(tr("Policy"), policy_);
}

// What leaves the program, and which engine computes.
QWidget* RunBar::makeMenus(Actions* actions) {
  auto* group = new QWidget;
  auto* layout = new QHBoxLayout(group);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  export_->setIcon(views::icon(QStringLiteral("export")));
  export_->setIconSize({16, 16});
  export_->setAccessibleName(tr("Export"));
  export_->setToolTip(tr("Writes the policy, a report, the run or a chart's data to a file"));
  auto* exports = new QMenu(export_);
  exports->setToolTipsVisible(true);
  exports->addActions({actions->export_policy, actions->export_report, actions->export_run, actions->export_graph,
                       actions->export_notes, actions->export_lesson, actions->save_bundle});
  export_->setMenu(exports);
  engine_->setAccessibleName(tr("Engine"));
  auto* engines = new QMenu(engine_);
  engines->addActions({actions->connect_engine, actions->own_engine, actions->attach});
  engines->addSeparator();
  engines->addAction(actions->restart_engine);
  engine_->setMenu(engines);
  layout->addWidget(export_);
  layout->addWidget(engine_);
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
  const PolicyDocument& document = session_->document();
  if (session_->run().isEmpty() && document.file().isEmpty() && !document.isModified())
    return showPolicy(tr("none"), tr("There is no policy yet."));
  if (session_->run().shownStep()) {
    return showPolicy(policyText(session_->run().shownPolicy().policy), tr("The policy in force at the shown step"));
  }
  QString text = policyText(document.policy());
  if (document.isModified()) text += u'*';
  showPolicy(text, document.isModified() ? tr("The policy has unsaved changes") : tr("The policy of the run"));
}

void RunBar::showPolicy(const QString& text, const QString& about) {
  policy_->setText(views::elidedMiddle(text, policy_->font(), kPolicyWidth));
  policy_->setToolTip(text + u'\n' + about);
}

void RunBar::updateEngine() {
  EngineClient& engine = session_->engine();
  const QString host = session_->host();
  QString text;
  QString brief;
  QString about;
  switch (engine.state()) {
    case EngineClient::State::kReady: {
      const QString device = QString::fromStdString(engine.welcome().device);
      text = QStringLiteral("%1 · %2").arg(host.isEmpty() ? tr("This computer") : host, device);
      brief = host.isEmpty() ? device : host;
      about = host.isEmpty() ? tr("The engine of this computer computes on: %1").arg(device)
                             : tr("The engine of %1 computes on: %2").arg(host, device);
      break;
    }
    case EngineClient::State::kStarting:
      text = tr("Engine is starting");
      brief = tr("Starting");
      break;
    case EngineClient::State::kStopped:
      text = tr("Engine is not running");
      brief = tr("No engine");
      break;
  }
  engine_->setText(
      views::elidedMiddle(isNarrow() ? brief : text, engine_->font(), isNarrow() ? kNarrowEngineWidth : kEngineWidth));
  engine_->setToolTip(about.isEmpty() ? text : about);
}

}  // namespace binade::app
