// SPDX-License-Identifier: Apache-2.0
#include "app/docks/try_dock.h"

#include "app/docks/empty_state.h"
#include "app/docks/try_choices.h"
#include "app/docks/try_page.h"
#include "app/session/searches.h"
#include "views/flow_layout.h"
#include "views/icons.h"
#include "views/style/looks.h"
#include "views/values/numbers.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QUndoStack>
#include <QVBoxLayout>

#include <algorithm>

namespace binade::app {

TryDock::TryDock(Session* session, QWidget* parent)
    : Dock(QStringLiteral("try"), tr("Try"), parent),
      session_(session),
      other_(new QToolButton),
      choices_(new TryChoices),
      cancel_(new QPushButton(tr("Cancel"))),
      message_(views::makeTextLabel()),
      page_(new TryPage),
      scroll_(new QScrollArea),
      keep_(new QPushButton(tr("Keep"))),
      undo_(new QPushButton(tr("Undo"))),
      rewind_(new QPushButton(tr("Undo and rewind"))) {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  other_->setText(tr("Policies, steps and repetitions"));
  other_->setCheckable(true);
  other_->setArrowType(Qt::RightArrow);
  other_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  other_->setToolTip(tr("Choose what to compare"));
  column->addWidget(other_);
  column->addWidget(choices_);
  progress_box_ = makeProgress();
  column->addWidget(progress_box_);
  message_->setContentsMargins(12, 6, 12, 6);
  message_->setObjectName(QStringLiteral("tryMessage"));
  column->addWidget(message_);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setWidget(page_);
  empty_ = new EmptyState(scroll_, QString(), QString());
  column->addWidget(empty_, 1);
  buttons_ = makeButtons();
  column->addWidget(buttons_);
  setWidget(content);
  connect(other_, &QToolButton::toggled, this, [this](bool open) {
    other_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    choices_->setVisible(open || !shown_);
  });
  connect(choices_, &TryChoices::tryRequested, this, &TryDock::start);
  connect(choices_, &TryChoices::problem, this, &TryDock::problem);
  connectSession();
  showMessage(std::nullopt);
  progress_box_->hide();
  update();
}

QWidget* TryDock::makeProgress() {
  auto* box = new QWidget;
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(12, 6, 12, 6);
  column->setSpacing(4);
  progress_ = views::makeProgressLine(tr("Steps of the Try"));
  progress_text_ = views::makeTextLabel(views::Tone::kSecond);
  auto* row = new QHBoxLayout;
  row->addWidget(progress_text_, 1);
  row->addWidget(cancel_);
  progress_names_ = views::makeTextLabel();
  column->addWidget(progress_names_);
  column->addLayout(row);
  column->addWidget(progress_);
  cancel_->setToolTip(tr("Ends the Try after the step in progress. Its measurements are kept."));
  connect(cancel_, &QPushButton::clicked, this, [this] {
    cancel_->setText(tr("End at once"));
    cancel_->setToolTip(tr("Does not wait for the step in progress."));
    session_->tries().cancel();
  });
  return box;
}

QWidget* TryDock::makeButtons() {
  auto* box = new QWidget;
  views::setSurface(box, views::Surface::kFoot);
  auto* flow = new views::FlowLayout(box, 8, 6);
  flow->setContentsMargins(16, 10, 16, 10);
  views::setPrimary(keep_);
  undo_->setIcon(views::icon(QStringLiteral("undo")));
  rewind_->setIcon(views::icon(QStringLiteral("rewind")));
  for (QPushButton* button : {keep_, undo_, rewind_}) flow->addWidget(button);
  connect(keep_, &QPushButton::clicked, this, [this] {
    const bool tried_only = !(session_->document().policy() == shown_->after);
    answer();
    if (tried_only) session_->document().replace(shown_->after, QString::fromStdString(shown_->name));
  });
  connect(undo_, &QPushButton::clicked, this, [this] {
    const bool in_force = session_->document().policy() == shown_->after;
    answer();
    // Not the undo stack: its newest step may be one of the scaler, or lead to yet another policy.
    if (in_force)
      session_->document().replace(shown_->before, tr("Policy before %1").arg(QString::fromStdString(shown_->name)));
  });
  connect(rewind_, &QPushButton::clicked, this, [this] {
    answer();
    session_->undoAndRewind();
  });
  return box;
}

void TryDock::connectSession() {
  RunModel* run = &session_->run();
  connect(run, &RunModel::reset, this, [this] {
    const auto& trials = session_->run().trials();
    answered_ = true;
    // Another run has Tries of its own. After a rewind they are the same.
    if (shown_ && std::find(trials.begin(), trials.end(), *shown_) == trials.end()) shown_.reset();
    if (!shown_ && !trials.empty() && !session_->tries().isRunning()) shown_ = trials.back();
    if (shown_) page_->setTrial(session_->run(), *shown_);
    showMessage(std::nullopt);
    update();
  });
  for (const auto changed : {&RunModel::stateChanged, &RunModel::checkpointAdded, &RunModel::trialsChanged})
    connect(run, changed, this, &TryDock::update);
  connect(run, &RunModel::policyAdded, this, &TryDock::update);
  connect(&session_->document(), &PolicyDocument::changed, this, &TryDock::update);
  connect(session_->document().undoStack(), &QUndoStack::indexChanged, this, &TryDock::update);
  const Tries* tries = &session_->tries();
  connect(tries, &Tries::started, this, &TryDock::begin);
  connect(tries, &Tries::progress, this, &TryDock::showProgress);
  connect(tries, &Tries::learnt, this, &TryDock::showSoFar);
  connect(tries, &Tries::finished, this, &TryDock::end);
  connect(&session_->searches(), &Searches::started, this, &TryDock::update);
  connect(&session_->searches(), &Searches::finished, this, &TryDock::update);
}

QString TryDock::whyNoNewestEdit() const {
  if (session_->tries().isRunning()) return tr("A Try is in progress.");
  if (const auto why = session_->tries().whyNot()) return why->message;
  if (!tryOfNewestEdit(session_->run(), session_->document().policy())) return tr("The policy has not been edited.");
  return {};
}

void TryDock::tryNewestEdit() {
  if (!whyNoNewestEdit().isEmpty()) return;
  start(*tryOfNewestEdit(session_->run(), session_->document().policy()));
}

void TryDock::tryPolicy(const policy::Policy& after, const QString& name) {
  start({session_->document().policy(), after, name});
}

void TryDock::tryFix(const FixChoice& fix) {
  if (!fix.rules.empty()) tryPolicy(session_->document().withRules(fix.rules), fix.text);
}

void TryDock::start(const TryWish& wish) {
  Q_EMIT startRequested();
  if (const auto why = session_->tries().whyNot()) {
    refused_ = true;
    showMessage(shown_ ? why : std::nullopt);  // an empty page says it itself
    return;
  }
  TryWish wanted = wish;
  wanted.steps = choices_->steps();
  wanted.seeds = choices_->seeds();
  session_->tries().start(wanted);
}

void TryDock::begin() {
  showMessage(std::nullopt);
  shown_.reset();
  other_->setChecked(false);
  cancel_->setText(tr("Cancel"));
  cancel_->setToolTip(tr("Ends the Try after the step in progress. Its measurements are kept."));
  const TryWish& wish = session_->tries().wish();
  const auto named = [this](const policy::Policy& policy, const QString& otherwise) {
    const QString name = nameOf(policy);
    return !name.isEmpty() ? name : otherwise.isEmpty() ? tr("Another policy") : otherwise;
  };
  progress_names_->setText(tr("After: %1\nBefore: %2").arg(named(wish.after, wish.name), named(wish.before, {})));
  showProgress(0, 0);
  progress_box_->show();
  update();
}

void TryDock::showProgress(qint64 done, qint64 of) {
  constexpr int kParts = 1000;
  progress_->setRange(0, of > 0 ? kParts : 0);
  progress_->setValue(of > 0 ? static_cast<int>(done * kParts / of) : 0);
  // The last training still evaluates, and a step of each policy is measured.
  progress_text_->setText(
      of <= 0      ? tr("Loading the state of the run")
      : done >= of ? tr("All %1 steps made; now the test data and the cost of a step").arg(views::grouped(of))
                   : tr("%1 of %2 steps").arg(views::grouped(done), views::grouped(of)));
}

void TryDock::showSoFar(const wire::Trial& trial) {
  if (!session_->tries().isOfShownRun()) return;
  const bool first = !shown_;
  shown_ = trial;
  answered_ = true;  // no decision before it has ended
  page_->setTrial(session_->run(), trial);
  if (first) scrollToTop();
  update();
}

void TryDock::scrollToTop() {
  scroll_->verticalScrollBar()->setValue(0);
}

// As the choices call it; empty: they do not offer it.
QString TryDock::nameOf(const policy::Policy& policy) const {
  for (const PolicyChoice& each : policyChoices(session_->run(), session_->document().policy())) {
    if (each.policy == policy) return each.text;
  }
  return {};
}

void TryDock::end(const TryResult& result, int trial) {
  progress_box_->hide();
  showMessage(result.problem);
  if (trial >= 0) {
    showTrial(trial);
  } else {
    shown_.reset();
    update();
  }
  if (result.problem) {
    Q_EMIT ended(result.problem->message, result.problem->hint);
  } else if (result.trial) {
    Q_EMIT ended(trialVerdict(*result.trial) + u' ' + trialBasis(*result.trial),
                 tr("Try: %1").arg(QString::fromStdString(result.trial->name)));
  }
}

void TryDock::showTrial(int index) {
  const auto& trials = session_->run().trials();
  if (index < 0 || static_cast<std::size_t>(index) >= trials.size() || session_->tries().isRunning()) return;
  shown_ = trials[static_cast<std::size_t>(index)];
  answered_ = false;
  page_->setTrial(session_->run(), *shown_);
  scrollToTop();
  update();
}

void TryDock::answer() {
  answered_ = true;
  updateAnswer();
}

void TryDock::update() {
  if (refused_ && !session_->tries().whyNot()) showMessage(std::nullopt);
  updateChoices();
  updateAnswer();
  empty_->setEmpty(!shown_);
  if (!shown_) showEmpty();
}

void TryDock::updateChoices() {
  const RunModel& run = session_->run();
  const policy::Policy& edited = session_->document().policy();
  choices_->setChoices(policyChoices(run, edited), tryOfNewestEdit(run, edited));
  const bool running = session_->tries().isRunning();
  const auto why = session_->tries().whyNot();
  choices_->setStartable(!running && !why, running ? tr("A Try is in progress.") : why ? why->message : QString());
  other_->setVisible(shown_.has_value() && !running);
  choices_->setVisible(!run.isEmpty() && !running && (other_->isChecked() || !shown_));
}

void TryDock::updateAnswer() {
  buttons_->setVisible(shown_ && !answered_);
  if (!shown_) return;
  const bool in_force = session_->document().policy() == shown_->after;
  keep_->setText(in_force ? tr("Keep") : tr("Apply"));
  keep_->setToolTip(in_force ? tr("Keeps the edit and closes the question")
                             : tr("Makes the tried policy the run's policy, as one undo step"));
  undo_->setText(in_force ? tr("Undo") : tr("Discard"));
  undo_->setToolTip(in_force
                        ? tr("Restores the policy before, as one undo step. The training goes on from where it is.")
                        : tr("Leaves the policy as it is"));
  const wire::CheckpointInfo* saved = session_->run().checkpointAtEdit();
  rewind_->setVisible(in_force && session_->run().isActive());
  rewind_->setText(saved == nullptr ? tr("Undo and rewind")
                                    : tr("Undo and rewind to %1").arg(views::grouped(saved->step)));
  const QString why_not = session_->whyNoRewind();
  rewind_->setEnabled(why_not.isEmpty());
  rewind_->setToolTip(why_not.isEmpty() ? tr("Undoes the newest edit and all training after it") : why_not);
}

void TryDock::showEmpty() {
  const QString what =
      tr("A Try trains under two policies from one state of the run, on the same batches, and a third time to show "
         "what rounding alone does. The run itself goes on.");
  if (session_->run().isEmpty()) return empty_->setText(tr("No Try yet."), what);
  if (session_->tries().isRunning()) return empty_->setText(tr("Training"), what);
  if (const auto why = session_->tries().whyNot()) return empty_->setText(why->message, why->hint);
  empty_->setText(tr("No Try yet."), what);
}

void TryDock::showMessage(const std::optional<Problem>& problem) {
  refused_ = refused_ && problem;
  message_->setVisible(problem.has_value());
  message_->setText(problem ? problem->text() : QString());
}

}  // namespace binade::app
