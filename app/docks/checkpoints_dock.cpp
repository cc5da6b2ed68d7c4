// SPDX-License-Identifier: Apache-2.0
#include "app/docks/checkpoints_dock.h"

#include "app/docks/empty_state.h"
#include "views/look_at_number.h"
#include "views/table/delegates.h"
#include "views/values/numbers.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace binade::app {

CheckpointsDock::CheckpointsDock(RunModel* run, QWidget* parent)
    : Dock(QStringLiteral("checkpoints"), tr("Checkpoints"), parent),
      run_(run),
      model_(new CheckpointTableModel(run, this)),
      table_(new QTableView),
      resume_(new QPushButton),
      save_(new QPushButton(tr("Save checkpoint"))),
      save_model_(new QPushButton(tr("Save model…"))) {
  table_->setModel(model_);
  views::styleTable(table_);
  views::addLookEntry(table_, this);
  table_->setSortingEnabled(false);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setAccessibleName(tr("Checkpoints"));
  views::setColumnWidths(table_, {80, 130, 90, 90, 110, 260});
  table_->horizontalHeader()->setStretchLastSection(true);
  auto* empty = new EmptyState(
      table_, tr("No checkpoint yet."),
      tr("Checkpoints are saved at the set interval, before each edit of the policy, and at the end of the run."));
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(12, 6, 12, 6);
  row->setSpacing(8);
  row->addWidget(resume_);
  row->addStretch();
  row->addWidget(save_);
  row->addWidget(save_model_);
  save_->setToolTip(
      tr("Saves parameters, optimizer, scaler, random state, data position and policy before the next step."));
  save_model_->setToolTip(tr("Saves the model with its trained weights as TorchScript, for torch.jit.load."));
  layout->addLayout(row);
  layout->addWidget(empty);
  setWidget(page);
  const auto ask = [this] {
    const wire::CheckpointInfo* chosen = model_->at(table_->currentIndex().row());
    if (chosen != nullptr && resume_->isEnabled()) Q_EMIT resumeRequested(QString::fromStdString(chosen->file));
  };
  connect(resume_, &QPushButton::clicked, this, ask);
  connect(table_, &QTableView::activated, this, ask);
  connect(save_, &QPushButton::clicked, this, &CheckpointsDock::saveRequested);
  connect(save_model_, &QPushButton::clicked, this, &CheckpointsDock::saveModelRequested);
  connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this, &CheckpointsDock::update);
  connect(model_, &QAbstractItemModel::modelReset, this, [this, empty] {
    empty->setEmpty(model_->rowCount() == 0);
    if (model_->rowCount() > 0) table_->selectRow(0);
    update();
  });
  connect(run_, &RunModel::stateChanged, this, &CheckpointsDock::update);
  empty->setEmpty(model_->rowCount() == 0);
  update();
}

void CheckpointsDock::update() {
  const wire::CheckpointInfo* chosen = model_->at(table_->currentIndex().row());
  const bool there = chosen != nullptr && model_->isThere(*chosen);
  const bool active = run_->isActive();
  const QString text =
      there ? (active ? tr("Rewind to step %1") : tr("Resume from step %1")) : (active ? tr("Rewind") : tr("Resume"));
  resume_->setText(there ? text.arg(views::grouped(chosen->step)) : text);
  // A live run that this window may not edit keeps its state.
  const QString barred = active ? run_->whyNoEdit() : QString();
  resume_->setToolTip(!barred.isEmpty() ? barred
                      : active ? tr("Continues this run from the checkpoint. The charts discard all later steps.")
                               : tr("Starts a new run from this checkpoint with the checkpoint's policy. Results are "
                                    "identical to the bit."));
  resume_->setEnabled(there && barred.isEmpty());
  save_->setEnabled(active && barred.isEmpty());
  save_model_->setEnabled(run_->hasWeights());
}

}  // namespace binade::app
