// SPDX-License-Identifier: Apache-2.0
#include "app/docks/history_dock.h"

#include "app/docks/empty_state.h"
#include "app/present/history_comparison.h"
#include "app/session/policy_document.h"
#include "views/flow_layout.h"
#include "views/icons.h"
#include "views/style/looks.h"
#include "views/table/timeline.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QItemSelectionModel>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace binade::app {

HistoryDock::HistoryDock(RunModel* run, const PolicyDocument* document, Selection* selection, QWidget* parent)
    : Dock(QStringLiteral("history"), tr("History"), parent),
      run_(run),
      document_(document),
      selection_(selection),
      model_(new CellModel({{tr("What was done")}}, this)),
      table_(new QTableView),
      headline_(views::makeTextLabel()),
      detail_(views::makeTextLabel(views::Tone::kSecond)),
      detail_area_(new QScrollArea),
      use_(new QPushButton(tr("Use this policy"))),
      rewind_(new QPushButton(tr("Rewind"))),
      try_(new QPushButton(tr("Try these two"))) {
  table_->setModel(model_);
  views::styleTable(table_);
  table_->setSortingEnabled(false);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  views::showTimeline(table_);
  table_->setAccessibleName(tr("History"));
  table_->setAccessibleDescription(tr("Edits, rewinds and Tries, newest first. Select two to compare them."));
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(table_, 3);
  makeFoot();
  layout->addWidget(foot_, 2);
  empty_ =
      new EmptyState(page, tr("No run yet."), tr("Each edit of a run and each Try appears here, with what it did."));
  setWidget(empty_);

  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &HistoryDock::selectionChanged);
  connect(use_, &QPushButton::clicked, this, &HistoryDock::useChosen);
  connect(rewind_, &QPushButton::clicked, this, &HistoryDock::rewindToChosen);
  connect(try_, &QPushButton::clicked, this, &HistoryDock::tryChosen);
  connect(document_, &PolicyDocument::titleChanged, this, &HistoryDock::refill);
  connect(run_, &RunModel::reset, this, &HistoryDock::refill);
  connect(run_, &RunModel::policyAdded, this, &HistoryDock::refill);
  connect(run_, &RunModel::shownStepChanged, this, &HistoryDock::refill);
  connect(run_, &RunModel::scalerEdited, this, &HistoryDock::refill);
  connect(run_, &RunModel::trialsChanged, this, &HistoryDock::refill);
  connect(run_, &RunModel::stateChanged, this, &HistoryDock::refill);
  connect(run_, &RunModel::castsChanged, this, &HistoryDock::updateFoot);
  refill();
}

void HistoryDock::makeFoot() {
  foot_ = new QWidget;
  views::setSurface(foot_, views::Surface::kFoot);
  auto* layout = new QVBoxLayout(foot_);
  layout->setContentsMargins(12, 8, 12, 8);
  layout->setSpacing(6);
  headline_->setFont(views::textFont(12, QFont::DemiBold));
  headline_->setAccessibleName(tr("Selected entry"));
  detail_->setAccessibleName(tr("About the selected entry"));
  detail_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  detail_area_->setWidget(detail_);
  detail_area_->setWidgetResizable(true);
  // Both would fill their background with the colour of the table, as a box on the ground of the foot.
  detail_->setAutoFillBackground(false);
  detail_area_->viewport()->setAutoFillBackground(false);
  detail_area_->setFrameShape(QFrame::NoFrame);
  detail_area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  detail_area_->setMinimumHeight(32);
  auto* buttons = new QWidget;
  auto* row = new views::FlowLayout(buttons);
  row->addWidget(use_);
  row->addWidget(rewind_);
  row->addWidget(try_);
  rewind_->setIcon(views::icon(QStringLiteral("rewind")));
  layout->addWidget(headline_);
  layout->addWidget(detail_area_, 1);
  layout->addWidget(buttons);
}

void HistoryDock::refill() {
  QList<qlonglong> kept;
  for (const HistoryEntry& entry : chosen()) kept.append(entry.id);
  entries_ = historyOf(*run_, &document_->policy());
  {
    const QScopedValueRollback guard(filling_, true);
    model_->setRows(historyRows(entries_));
    select(kept);
  }
  empty_->setEmpty(entries_.isEmpty());
  updateFoot();
}

void HistoryDock::select(const QList<qlonglong>& ids) {
  QItemSelection rows;
  for (const qlonglong id : ids) {
    const int row = model_->rowOf(id);
    if (row >= 0) rows.select(model_->index(row, 0), model_->index(row, 0));
  }
  table_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

QList<HistoryEntry> HistoryDock::chosen() const {
  QList<int> rows;
  for (const QModelIndex& index : table_->selectionModel()->selectedRows()) rows.append(index.row());
  std::sort(rows.begin(), rows.end(), std::greater<>());  // the newest entry has row 0
  QList<HistoryEntry> found;
  for (const int row : rows) {
    if (row < entries_.size()) found.append(entries_[row]);
  }
  return found;
}

void HistoryDock::selectionChanged() {
  if (filling_) return;
  updateFoot();
  showInWindow();
}

void HistoryDock::updateFoot() {
  const QList<HistoryEntry> entries = chosen();
  foot_->setVisible(entries.size() == 1 || entries.size() == 2);
  use_->setVisible(entries.size() == 1);
  rewind_->setVisible(entries.size() == 1);
  if (entries.size() == 1) showOne(entries.front());
  if (entries.size() == 2) showTwo(entries.front(), entries.back());
}

void HistoryDock::setWhyNoTry(const QString& why) {
  if (std::exchange(why_no_try_, why) != why) updateFoot();
}

void HistoryDock::showOne(const HistoryEntry& entry) {
  headline_->setText(entry.title);
  const QString detail = historyDetail(*run_, entry);
  detail_->setText(detail);
  detail_area_->setVisible(!detail.isEmpty());
  const bool same = entry.policy && *entry.policy == document_->policy();
  const QString barred = document_->whyReadOnly();
  use_->setEnabled(entry.policy && !same && barred.isEmpty());
  use_->setToolTip(!barred.isEmpty() ? barred
                   : !entry.policy   ? tr("This entry is no edit of the policy.")
                   : same            ? tr("This is the present policy.")
                   : run_->isActive()
                       ? tr("Makes it the present policy, as one undo step. The training goes on from where it is.")
                       : tr("Makes it the present policy, as one undo step. The next run starts with it."));
  try_->setVisible(entry.kind == HistoryEntry::Kind::kEdit && entry.policy && entry.against);
  try_->setEnabled(why_no_try_.isEmpty());
  try_->setText(tr("Try this edit"));
  try_->setToolTip(
      !why_no_try_.isEmpty()
          ? why_no_try_
          : tr("Trains under its policy and under the one that it replaced, from one checkpoint, beside the run, "
               "and compares the losses."));
  const bool there = hasCheckpoint(entry);
  rewind_->setText(run_->isActive() ? tr("Rewind to step %1…").arg(views::grouped(entry.step))
                                    : tr("Resume from step %1…").arg(views::grouped(entry.step)));
  const QString no_rewind = run_->isActive() ? run_->whyNoEdit() : QString();
  rewind_->setEnabled(there && !run_->isEmpty() && no_rewind.isEmpty());
  rewind_->setToolTip(!no_rewind.isEmpty()         ? no_rewind
                      : entry.checkpoint.isEmpty() ? tr("No checkpoint was saved there.")
                      : !there ? tr("Its checkpoint is no longer on this computer: %1").arg(entry.checkpoint)
                               : tr("Takes the training back to its state then. The policy stays as it is."));
}

void HistoryDock::showTwo(const HistoryEntry& older, const HistoryEntry& newer) {
  const auto compared = compareEntries(*run_, older, newer);
  headline_->setText(compared ? compared->headline : tr("These two cannot be compared"));
  detail_->setText(compared ? compared->text() : tr("One of them is no edit of the policy."));
  detail_area_->setVisible(true);
  const bool differ = compared && !(compared->before == compared->after);
  try_->setVisible(true);
  try_->setEnabled(differ && why_no_try_.isEmpty());
  try_->setText(tr("Try these two"));
  try_->setToolTip(
      !why_no_try_.isEmpty()
          ? why_no_try_
          : tr("Trains under both policies from one checkpoint, beside the run, and compares the losses."));
}

// The op calls that an entry changed, and its step, are selected in the whole window.
void HistoryDock::showInWindow() {
  const QList<HistoryEntry> entries = chosen();
  if (entries.isEmpty() || entries.size() > 2) return;
  const HistoryEntry& newer = entries.back();
  if (entries.size() == 1 && newer.trial >= 0) Q_EMIT trialSelected(newer.trial);
  HistoryEntry older = entries.front();
  if (entries.size() == 1) older.policy = newer.against;
  if (newer.kind != HistoryEntry::Kind::kStart && !newer.waits) selection_->setStep(newer.step);
  const auto compared = compareEntries(*run_, older, newer);
  if (compared && !compared->sites.empty()) selection_->setSites(compared->sites);
}

void HistoryDock::useChosen() {
  const QList<HistoryEntry> entries = chosen();
  if (entries.size() != 1 || !entries.front().policy) return;
  const HistoryEntry& entry = entries.front();
  Q_EMIT policyRequested(*entry.policy, entry.revision < 0 ? tr("Policy of %1").arg(entry.title)
                                                           : tr("Policy of revision %1").arg(entry.revision));
}

void HistoryDock::rewindToChosen() {
  const QList<HistoryEntry> entries = chosen();
  if (entries.size() != 1 || !hasCheckpoint(entries.front())) return;
  const QString file = entries.front().checkpoint;
  const RewindLoss loss = rewindLoss(*run_, entries.front());
  if (isConfirmed(loss.question, loss.text)) Q_EMIT rewindRequested(file);
}

void HistoryDock::tryChosen() {
  const QList<HistoryEntry> entries = chosen();
  if (entries.isEmpty() || !entries.front().policy || !entries.back().policy) return;
  if (entries.size() == 1) {
    const HistoryEntry& edit = entries.front();
    if (edit.against) Q_EMIT tryRequested({.before = *edit.against, .after = *edit.policy});
    return;
  }
  if (entries.size() != 2) return;
  const auto compared = compareEntries(*run_, entries.front(), entries.back());
  Q_EMIT tryRequested({.before = compared->before, .after = compared->after, .name = compared->headline});
}

bool HistoryDock::isConfirmed(const QString& question, const QString& loss) {
  if (confirm_) return confirm_(question, loss);
  QMessageBox box(QMessageBox::Question, tr("Rewind"), question, QMessageBox::Cancel, this);
  box.setInformativeText(loss);
  box.setTextFormat(Qt::PlainText);
  const auto* go = box.addButton(run_->isActive() ? tr("Rewind") : tr("Resume"), QMessageBox::AcceptRole);
  box.setDefaultButton(QMessageBox::Cancel);
  box.exec();
  return box.clickedButton() == go;
}

}  // namespace binade::app
