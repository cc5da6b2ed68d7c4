// SPDX-License-Identifier: Apache-2.0
#include "app/docks/changes_dock.h"

#include "app/docks/empty_state.h"
#include "app/session/policy_document.h"
#include "views/flow_layout.h"
#include "views/style/looks.h"
#include "views/table/delegates.h"
#include "views/values/numbers.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <utility>

namespace binade::app {

ChangesDock::ChangesDock(const RunModel* run, PolicyDocument* document, Selection* selection, QWidget* parent)
    : Dock(QStringLiteral("changes"), tr("Changes"), parent),
      run_(run),
      document_(document),
      selection_(selection),
      model_(new CellModel(listChangeColumns(), this)),
      table_(new QTableView),
      headline_(views::makeTextLabel(views::Tone::kSecond)),
      remove_(new QPushButton(tr("Remove this change"))),
      try_(new QPushButton(tr("Try this change"))),
      copy_(new QPushButton(tr("Copy as text"))),
      empty_(new EmptyState(table_, {},
                            tr("Each rule and each other change of the policy appears here, with the op "
                               "calls that it is for."))) {
  table_->setModel(model_);
  views::styleTable(table_);
  table_->setSortingEnabled(false);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  for (const int column : {2, 3}) table_->setItemDelegateForColumn(column, new views::FormatDelegate(table_));
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setAccessibleName(tr("Changes against the base list"));
  views::setColumnWidths(table_, {240, 72, 120, 120, 200}, {100, 60, 80, 80, 60});
  table_->horizontalHeader()->setStretchLastSection(true);
  remove_->setToolTip(tr("The base list decides for its op calls again, or another change does. One undo step (Del)"));
  copy_->setToolTip(tr("Copies all changes, one line each"));
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  headline_->setContentsMargins(12, 8, 12, 4);
  auto* buttons = new QWidget;
  auto* row = new views::FlowLayout(buttons);
  row->setContentsMargins(12, 0, 12, 6);
  row->addWidget(remove_);
  row->addWidget(try_);
  row->addWidget(copy_);
  layout->addWidget(headline_);
  layout->addWidget(buttons);
  layout->addWidget(empty_, 1);
  setWidget(page);
  auto* remove_key = new QAction(tr("Remove this change"), table_);
  remove_key->setShortcut(QKeySequence::Delete);
  remove_key->setShortcutContext(Qt::WidgetShortcut);
  table_->addAction(remove_key);

  connect(remove_key, &QAction::triggered, this, &ChangesDock::removeChosen);
  connect(remove_, &QPushButton::clicked, this, &ChangesDock::removeChosen);
  connect(try_, &QPushButton::clicked, this, &ChangesDock::tryChosen);
  connect(copy_, &QPushButton::clicked, this, &ChangesDock::copy);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    updateButtons();
    if (table_->hasFocus()) selectCalls();
  });
  connect(document_, &PolicyDocument::titleChanged, this, &ChangesDock::updateLater);
  connect(run_, &RunModel::reset, this, &ChangesDock::updateLater);
  connect(this, &QDockWidget::visibilityChanged, this, [this](bool visible) {
    if (visible && outdated_) update();
  });
  update();
}

// Resolving a policy for a large model takes a while, and a hidden dock needs none of it.
void ChangesDock::updateLater() {
  outdated_ = true;
  if (isVisible()) update();
}

void ChangesDock::update() {
  outdated_ = false;
  const policy::Policy& policy = document_->policy();
  changes_ = listChanges(policy, run_->modelInfo());
  model_->setRows(listChangeRows(changes_, run_->modelInfo()));
  const QString list = QString::fromStdString(policy::name(policy.base));
  empty_->setText(tr("No changes against the base list %1.").arg(list), empty_->sentence());
  empty_->setEmpty(changes_.isEmpty());
  headline_->setVisible(!changes_.isEmpty());
  headline_->setText(changes_.size() == 1
                         ? tr("1 change against the base list %1").arg(list)
                         : tr("%1 changes against the base list %2").arg(views::grouped(changes_.size()), list));
  updateButtons();
}

int ChangesDock::chosen() const {
  const QModelIndexList rows = table_->selectionModel()->selectedRows();
  const int row = rows.isEmpty() ? -1 : rows.front().row();
  return row < changes_.size() ? row : -1;
}

void ChangesDock::updateButtons() {
  remove_->setEnabled(chosen() >= 0);
  remove_->setVisible(!changes_.isEmpty());
  try_->setEnabled(chosen() >= 0 && why_no_try_.isEmpty());
  try_->setVisible(!changes_.isEmpty());
  try_->setToolTip(!why_no_try_.isEmpty() ? why_no_try_
                   : chosen() < 0         ? tr("No change is selected.")
                                          : tr("Trains under the policy with this change and without it, from one "
                                                       "checkpoint, beside the run, and compares the losses."));
  copy_->setVisible(!changes_.isEmpty());
}

// The op calls that a change decides for are selected in the whole window.
void ChangesDock::selectCalls() {
  const int row = chosen();
  if (row >= 0 && !changes_[row].calls.empty()) selection_->setSites(changes_[row].calls);
}

void ChangesDock::removeChosen() {
  const int row = chosen();
  if (row < 0 || !remove_->isEnabled()) return;
  const ListChange change = changes_[row];  // the list is made anew by the edit
  document_->replace(withoutChange(document_->policy(), change), tr("Remove %1").arg(change.place));
}

void ChangesDock::setWhyNoTry(const QString& why) {
  if (std::exchange(why_no_try_, why) != why) updateButtons();
}

void ChangesDock::tryChosen() {
  const int row = chosen();
  if (row < 0) return;
  const policy::Policy& policy = document_->policy();
  Q_EMIT tryRequested({.before = withoutChange(policy, changes_[row]), .after = policy});
}

void ChangesDock::copy() {
  QGuiApplication::clipboard()->setText(listChangesText(document_->policy(), changes_, run_->modelInfo()));
}

}  // namespace binade::app
