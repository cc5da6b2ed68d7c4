// SPDX-License-Identifier: Apache-2.0
#include "app/present/cell_model.h"

#include "views/values/picked_number.h"
#include "views/values/roles.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace binade::app {

Cell Cell::figure(const QString& text, double value) {
  Cell cell(text);
  cell.with(Qt::TextAlignmentRole, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter));
  cell.with(views::SortRole, std::isnan(value) ? -std::numeric_limits<double>::infinity() : value);
  if (std::isnan(value)) cell.with(views::QuietRole, true);
  return cell;
}

Cell& Cell::withNumber(double value, std::optional<formats::Format> format) {
  if (std::isnan(value)) return *this;
  return with(views::NumberRole, QVariant::fromValue(views::PickedNumber{value, format}));
}

CellModel::CellModel(QList<Column> columns, QObject* parent)
    : QAbstractTableModel(parent), columns_(std::move(columns)) {}

void CellModel::setColumn(int index, const Column& column) {
  columns_[index] = column;
  Q_EMIT headerDataChanged(Qt::Horizontal, index, index);
}

void CellModel::setRows(QList<CellRow> rows) {
  const auto same = [](const CellRow& a, const CellRow& b) { return a.id == b.id; };
  if (std::equal(rows.begin(), rows.end(), rows_.begin(), rows_.end(), same)) {
    rows_ = std::move(rows);
    if (!rows_.isEmpty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    return;
  }
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

int CellModel::rowOf(qlonglong id) const {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [id](const CellRow& row) { return row.id == id; });
  return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int CellModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int CellModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QVariant CellModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rows_.size()) return {};
  const QList<Cell>& cells = rows_[index.row()].cells;
  if (index.column() >= cells.size()) return {};
  const Cell& cell = cells[index.column()];
  const QVariant value = cell.value(role);
  if (!value.isValid() && (role == views::SortRole || role == Qt::ToolTipRole)) return cell.value(Qt::DisplayRole);
  return value;
}

QVariant CellModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columns_.size()) return {};
  const Column& column = columns_[section];
  if (role == Qt::DisplayRole) return column.title;
  if (role == Qt::ToolTipRole && !column.tip.isEmpty()) return column.tip;
  if (role == Qt::TextAlignmentRole) {
    return static_cast<int>((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  return {};
}

}  // namespace binade::app
