// SPDX-License-Identifier: Apache-2.0
#include "app/comparison_dock.h"

#include "app/cell_model.h"
#include "app/comparison_rows.h"
#include "app/empty_state.h"
#include "views/numbers.h"
#include "views/table/delegates.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

namespace binade::app {

ComparisonDock::ComparisonDock(RunModel* run, Selection* selection, QWidget* parent)
    : Dock(QStringLiteral("comparison"), tr("Float32 comparison"), parent),
      run_(run),
      selection_(selection),
      model_(new CellModel(comparisonColumns(), this)),
      table_(new QTableView),
      summary_(new QLabel),
      again_(new QPushButton(tr("Compare again"))),
      compare_(new QPushButton(tr("Compare one step with float32"))) {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* header = new QWidget;
  auto* row = new QHBoxLayout(header);
  row->setContentsMargins(12, 6, 12, 6);
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  row->addWidget(summary_, 1);
  row->addWidget(again_);
  column->addWidget(header);
  column->addWidget(table_, 1);
  auto* sorted = new QSortFilterProxyModel(this);
  sorted->setSourceModel(model_);
  sorted->setSortRole(views::SortRole);
  table_->setModel(sorted);
  views::styleTable(table_);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setItemDelegateForColumn(0, new views::CallDelegate(table_));
  table_->setItemDelegateForColumn(1, new views::FormatDelegate(table_));
  table_->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
  table_->setAccessibleName(tr("Op calls by added error"));
  constexpr int widths[] = {300, 120, 110, 116, 104, 124, 80, 100};
  for (int i = 0; i < 8; ++i) table_->setColumnWidth(i, widths[i]);
  empty_ = new EmptyState(page, tr("Not compared yet."),
                          tr("One step runs under the policy and once more in float32, from the same state and batch. "
                             "Op calls are ranked by the error that they add. Training is left untouched."));
  empty_->addButton(compare_);
  setWidget(empty_);
  for (QPushButton* button : {again_, compare_})
    connect(button, &QPushButton::clicked, this, &ComparisonDock::comparisonRequested);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this, sorted](const QModelIndex& current) {
            if (!current.isValid()) return;
            const int source = sorted->mapToSource(current).row();
            selection_->setSites({static_cast<int>(model_->row(source).id)});
          });
  connect(run_, &RunModel::reset, this, &ComparisonDock::update);
  connect(run_, &RunModel::stateChanged, this, &ComparisonDock::update);
  connect(run_, &RunModel::comparisonChanged, this, &ComparisonDock::update);
  update();
}

void ComparisonDock::setWaiting(bool waiting) {
  for (QPushButton* button : {again_, compare_}) button->setEnabled(!waiting && run_->isActive());
  compare_->setText(waiting ? tr("Comparing…") : tr("Compare one step with float32"));
}

void ComparisonDock::update() {
  setWaiting(false);
  const auto& compared = run_->comparison();
  empty_->setEmpty(!compared);
  if (!compared) return model_->setRows({});
  model_->setRows(comparisonRows(*run_, *compared));
  summary_->setText(tr("Step %1 · loss %2 under the policy, %3 in float32 · loss scale %4 · %5 op calls added an error")
                        .arg(views::grouped(compared->step), views::figure(compared->loss, 5),
                             views::figure(compared->float32_loss, 5), views::scaleText(compared->scale),
                             views::grouped(model_->rowCount())));
}

}  // namespace binade::app
