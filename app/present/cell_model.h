// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>
#include <QVariant>

#include <optional>

namespace binade::app {

/// One cell: its values by role.
class Cell {
 public:
  Cell() = default;
  /// A left-aligned text.
  explicit Cell(const QString& text) { with(Qt::DisplayRole, text); }
  /// A right-aligned number, sorted by `value`; NaN sorts below all others.
  static Cell figure(const QString& text, double value);

  Cell& with(int role, const QVariant& value) {
    roles_.insert(role, value);
    return *this;
  }
  /// Sets the number that *Look at this number* sends to the number formats; NaN: none.
  Cell& withNumber(double value, std::optional<formats::Format> format = std::nullopt);
  QVariant value(int role) const { return roles_.value(role); }
  friend bool operator==(const Cell&, const Cell&) = default;

 private:
  QHash<int, QVariant> roles_;
};

struct CellRow {
  qlonglong id = 0;  ///< identifies the row: an op call, an index in a list
  QList<Cell> cells;
};

/// A read-only table for rows that are replaced as a whole, a few times per second. If the ids and their order are the
/// same, rows are updated in place, so that selection and scroll position are kept.
class CellModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  struct Column {
    QString title;
    bool number = false;  ///< right-aligned heading
    QString tip = {};
  };

  explicit CellModel(QList<Column> columns, QObject* parent = nullptr);

  /// Replaces a column's heading and its tip.
  void setColumn(int index, const Column& column);
  void setRows(QList<CellRow> rows);
  const CellRow& row(int index) const { return rows_[index]; }
  int rowOf(qlonglong id) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  QList<Column> columns_;
  QList<CellRow> rows_;
};

}  // namespace binade::app
