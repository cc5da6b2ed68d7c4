// SPDX-License-Identifier: Apache-2.0
#include "views/table/copy_rows.h"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QTableView>

#include <algorithm>
#include <vector>

namespace binade::views {

namespace {

constexpr auto kName = "copyRows";

QString cellText(const QVariant& value) {
  QString text = value.toString();
  text.replace(u'\t', u' ');
  return text.replace(u'\n', u' ');
}

}  // namespace

QString rowsAsText(const QTableView& table) {
  const QAbstractItemModel* model = table.model();
  if (model == nullptr) return {};
  const QHeaderView* header = table.horizontalHeader();
  std::vector<int> columns;
  for (int visual = 0; visual < header->count(); ++visual) {
    const int column = header->logicalIndex(visual);
    if (!table.isColumnHidden(column)) columns.push_back(column);
  }
  std::vector<int> rows;
  for (const QModelIndex& index : table.selectionModel()->selectedRows()) rows.push_back(index.row());
  if (rows.empty()) {
    for (int row = 0; row < model->rowCount(); ++row) rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end());
  QStringList lines;
  const auto add = [&](auto&& cell) {
    QStringList cells;
    for (const int column : columns) cells << cellText(cell(column));
    lines << cells.join(u'\t');
  };
  add([&](int column) { return model->headerData(column, Qt::Horizontal); });
  for (const int row : rows) add([&](int column) { return model->index(row, column).data(); });
  return lines.join(u'\n') + u'\n';
}

QAction* copyAction(QTableView* table) {
  if (auto* made = table->findChild<QAction*>(QLatin1String(kName), Qt::FindDirectChildrenOnly)) return made;
  auto* copy = new QAction(QCoreApplication::translate("Table", "Copy as text"), table);
  copy->setObjectName(QLatin1String(kName));
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  QObject::connect(copy, &QAction::triggered, table,
                   [table] { QGuiApplication::clipboard()->setText(rowsAsText(*table)); });
  table->addAction(copy);
  table->setContextMenuPolicy(Qt::ActionsContextMenu);
  return copy;
}

}  // namespace binade::views
