// SPDX-License-Identifier: Apache-2.0
#include "app/docks/edits_dock.h"

#include "app/docks/empty_state.h"
#include "app/model/run_model.h"
#include "app/session/run_document.h"
#include "views/flow_layout.h"
#include "views/table/timeline.h"
#include "views/values/numbers.h"
#include "views/values/roles.h"

#include <QComboBox>
#include <QItemSelectionModel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <utility>

namespace binade::app {

namespace {

CellRow editRow(int number, const EditList::Edit& edit, bool now) {
  const QString when =
      edit.step ? EditsDock::tr("at step %1").arg(views::grouped(*edit.step)) : EditsDock::tr("before the first step");
  const QString foot = edit.undone ? EditsDock::tr("%1, undone").arg(when) : when;
  Cell cell(EditsDock::tr("%1. %2, %3").arg(number).arg(edit.text, foot));
  cell.with(views::HeadRole, edit.text)
      .with(views::HeadNoteRole, QString::number(number))
      .with(views::FootRole, foot)
      .with(views::StruckRole, edit.undone)
      .with(views::NowRole, now)
      .with(Qt::ToolTipRole, EditsDock::tr("%1\n%2\nClick to go to this state.").arg(edit.text, foot));
  return {number, {cell}};
}

CellRow firstState(bool now) {
  const QString text = EditsDock::tr("Without edits");
  Cell cell(text);
  cell.with(views::HeadRole, text)
      .with(views::FootRole, EditsDock::tr("as opened or started"))
      .with(views::NowRole, now)
      .with(Qt::ToolTipRole, EditsDock::tr("Click to undo all edits."));
  return {0, {cell}};
}

}  // namespace

EditsDock::EditsDock(const RunModel* run, PolicyDocument* policy, RunDocument* description, QWidget* parent)
    : Dock(QStringLiteral("edits"), tr("Edits"), parent),
      policy_(policy),
      lists_{new EditList(policy->undoStack(), run, this), new EditList(description->undoStack(), run, this)},
      model_(new CellModel({{tr("Edit")}}, this)),
      table_(new QTableView),
      choice_(new QComboBox),
      try_(new QPushButton(tr("Try this edit"))),
      empty_(new EmptyState(table_, tr("No edits yet."),
                            tr("Each edit appears here with the step at which it was made. Click one to go back to "
                               "it."))) {
  choice_->addItems({tr("Run and policy"), tr("Run description")});
  choice_->setAccessibleName(tr("Edits of"));
  choice_->setToolTip(
      tr("What was edited: the run with its policy and loss scale, or the description of the next run"));
  table_->setModel(model_);
  views::styleTable(table_);
  table_->setSortingEnabled(false);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  views::showTimeline(table_);
  table_->setAccessibleName(tr("Edits"));
  table_->setAccessibleDescription(tr("Edits that can be undone, newest first. Enter goes to the chosen state."));
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(12, 6, 12, 6);
  row->addWidget(choice_, 1);
  layout->addLayout(row);
  auto* buttons = new QWidget;
  auto* flow = new views::FlowLayout(buttons);
  flow->setContentsMargins(12, 0, 12, 6);
  flow->addWidget(try_);
  layout->addWidget(buttons);
  layout->addWidget(empty_, 1);
  setWidget(page);

  connect(choice_, &QComboBox::currentIndexChanged, this, [this](int index) {
    choice_index_ = index;
    refill();
  });
  for (int i = 0; i < lists_.size(); ++i) connect(lists_[i], &EditList::changed, this, [this, i] { listChanged(i); });
  connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this, &EditsDock::updateTry);
  connect(try_, &QPushButton::clicked, this, [this] {
    if (const auto edit = chosen()) Q_EMIT tryRequested({.before = edit->before, .after = edit->after});
  });
  connect(table_, &QTableView::clicked, this, &EditsDock::goTo);
  connect(table_, &QTableView::activated, this, &EditsDock::goTo);
  refill();
}

// Shows the list that was edited. A forgotten list is none that anybody edits.
void EditsDock::listChanged(int list) {
  if (list != choice_index_ && !lists_[list]->edits().isEmpty()) return choice_->setCurrentIndex(list);
  if (list == choice_index_) refill();
}

void EditsDock::refill() {
  const QList<EditList::Edit> edits = shown()->edits();
  const int now = shown()->inForce();
  QList<CellRow> rows;
  for (int i = static_cast<int>(edits.size()); i > 0; --i) rows.append(editRow(i, edits[i - 1], i == now));
  rows.append(firstState(now == 0));
  model_->setRows(rows);
  empty_->setEmpty(edits.isEmpty());
  const QModelIndex current = model_->index(model_->rowOf(now), 0);
  table_->setCurrentIndex(current);
  table_->scrollTo(current);
  updateTry();
}

void EditsDock::setWhyNoTry(const QString& why) {
  if (std::exchange(why_no_try_, why) != why) updateTry();
}

std::optional<PolicyReplacement> EditsDock::chosen() const {
  const QModelIndex current = table_->currentIndex();
  if (!current.isValid() || choice_index_ != 0) return std::nullopt;
  return policy_->editAt(static_cast<int>(model_->row(current.row()).id) - 1);
}

void EditsDock::updateTry() {
  const bool edits_policy = chosen().has_value();
  try_->setVisible(!shown()->edits().isEmpty());
  try_->setEnabled(edits_policy && why_no_try_.isEmpty());
  try_->setToolTip(
      !why_no_try_.isEmpty() ? why_no_try_
      : !edits_policy
          ? tr("This entry is no edit of the policy.")
          : tr("Trains under its policy and under the one that it replaced, from one checkpoint, beside the run, "
               "and compares the losses."));
}

void EditsDock::goTo(const QModelIndex& index) {
  if (index.isValid()) shown()->goTo(static_cast<int>(model_->row(index.row()).id));
}

}  // namespace binade::app
