// SPDX-License-Identifier: Apache-2.0
#include "app/docks/log_dock.h"

#include "app/docks/empty_state.h"
#include "views/table/delegates.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>

namespace binade::app {

LogDock::LogDock(LogModel* log, QWidget* parent) : Dock(QStringLiteral("log"), tr("Log"), parent) {
  auto* table = new QTableView;
  table->setModel(log);
  views::styleTable(table);
  table->setSortingEnabled(false);
  table->setAccessibleName(tr("Log"));
  views::setColumnWidths(table, {80, 80, 800});
  table->horizontalHeader()->setStretchLastSection(true);
  auto* empty = new EmptyState(table, tr("No messages yet."), tr("Messages of the engine appear here."));
  setWidget(empty);
  connect(log, &QAbstractItemModel::rowsInserted, table, [table, empty] {
    empty->setEmpty(false);
    const QScrollBar* bar = table->verticalScrollBar();
    if (bar->value() >= bar->maximum() - 1) table->scrollToBottom();
  });
  empty->setEmpty(log->rowCount() == 0);
}

}  // namespace binade::app
