// SPDX-License-Identifier: Apache-2.0
#include "app/events_dock.h"

#include "app/empty_state.h"
#include "views/numbers.h"
#include "views/table/delegates.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QTableView>

namespace binade::app {

EventsDock::EventsDock(RunModel* run, Selection* selection, QWidget* parent)
    : Dock(QStringLiteral("overflowEvents"), tr("Overflow events"), parent),
      run_(run),
      selection_(selection),
      model_(new EventTableModel(run, this)),
      table_(new QTableView) {
  table_->setModel(model_);
  views::styleTable(table_);
  table_->setSortingEnabled(false);
  table_->setItemDelegateForColumn(EventTableModel::kWhat, new views::VerdictDelegate(table_));
  table_->setItemDelegateForColumn(EventTableModel::kCalls, new views::CallDelegate(table_));
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setAccessibleName(tr("Overflow events"));
  constexpr int widths[] = {80, 180, 100, 420, 500};
  for (int column = 0; column < EventTableModel::kColumns; ++column) table_->setColumnWidth(column, widths[column]);
  table_->horizontalHeader()->setStretchLastSection(true);
  empty_ = new EmptyState(table_, tr("No events yet."), tr("A skipped step, a NaN or an inf would appear here."));
  setWidget(empty_);

  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
    if (current.isValid() && current.row() != selection_->event()) Q_EMIT eventRequested(current.row());
  });
  // A click on the row that is selected already brings the charts back to it.
  connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) { Q_EMIT eventRequested(index.row()); });
  connect(selection_, &Selection::eventChanged, this, [this](int event) {
    if (event < 0) return table_->selectionModel()->clear();
    table_->selectRow(event);
    table_->scrollTo(model_->index(event, 0));
  });
  connect(model_, &QAbstractItemModel::rowsInserted, this, &EventsDock::update);
  connect(model_, &QAbstractItemModel::modelReset, this, &EventsDock::update);
  update();
}

void EventsDock::update() {
  const int count = model_->rowCount();
  empty_->setEmpty(count == 0);
  setDockTitle(count == 0 ? tr("Overflow events") : tr("Overflow events  %1").arg(views::grouped(count)));
}

}  // namespace binade::app
