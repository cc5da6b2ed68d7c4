// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/model/run_model.h"
#include "app/present/cell_model.h"
#include "app/session/selection.h"
#include "views/table/table_columns.h"

#include <QList>
#include <QString>

#include <vector>

class QHBoxLayout;
class QLabel;
class QSettings;
class QSortFilterProxyModel;
class QTableView;
class QVBoxLayout;

namespace binade::app {

class EmptyState;
class TableHold;

/// Base class of docks that rank op calls by a figure: a summary line with controls, and a table below; an empty text
/// if there is nothing to rank. Rows are set as a whole, already ranked; clicking a heading sorts differently. The
/// chosen row stays chosen when figures change, and follows the window's selection. Rows keep their places while the
/// user is at the table (see TableHold).
class RankingDock : public Dock {
  Q_OBJECT

 public:
  QTableView* table() const { return table_; }
  CellModel* model() const { return model_; }
  QLabel* summary() const { return summary_; }
  QLabel* secondSummary() const { return second_summary_; }
  EmptyState* empty() const { return empty_; }

  /// The user's columns, for docks that have plans for them.
  void read(const QSettings& settings);
  void write(QSettings& settings) const;

 protected:
  struct Shape {
    QString id;  ///< of the dock, for layouts
    QString title;
    QString about;  ///< the table's accessible name: `Casts in a step`
    QList<CellModel::Column> columns;
    QList<int> widths;
    QList<int> least{};     ///< see views::setColumnWidths
    int call = 0;           ///< the column with the op call
    QList<int> formats{};   ///< columns that show a format
    QList<int> verdicts{};  ///< columns with a verdict
    /// Instead of `widths` and `least`: which columns hide first in a narrow place.
    QList<views::ColumnPlan> plans{};
    QList<int> constants{};  ///< columns that hide if they say the same in every row
  };

  /// Both must outlive the dock.
  RankingDock(const Shape& shape, RunModel* run, Selection* selection, QWidget* parent);

  RunModel& run() const { return *run_; }
  Selection& selection() const { return *selection_; }
  /// Adds a control at the right end of the summary line.
  void addControl(QWidget* control);
  /// Adds a widget below the table.
  void addFoot(QWidget* foot);
  /// Adds a text about the chosen row below the table, since narrow tables hide columns of text.
  QLabel* addDetail(const QString& accessibleName);
  /// Sets the lines above the table; without a `second` there is one.
  void setSummary(const QString& line, const QString& second = {});
  void setRows(QList<CellRow> rows);
  /// The id of the chosen row; -1: none.
  qlonglong chosen() const;
  /// Returns the op calls that a row refers to, the most important first.
  virtual std::vector<int> sitesOf(qlonglong id) const;
  /// Chooses a row as if the user had done so.
  void choose(qlonglong id);
  /// The user chose this row. Selects its op calls in the window.
  virtual void publish(qlonglong id);
  /// Called when another row or none is chosen, or its figures have changed.
  virtual void chosenChanged() {}

 private:
  void chooseRow(int sourceRow);
  void tableChanged();
  void follow(const std::vector<int>& sites);
  QList<CellRow> inPlace(const QList<CellRow>& rows) const;
  void hideConstants();

  RunModel* run_;
  Selection* selection_;
  CellModel* model_;
  QSortFilterProxyModel* sorted_;
  QTableView* table_;
  QLabel* summary_;
  QLabel* second_summary_;
  QVBoxLayout* column_ = nullptr;
  QHBoxLayout* header_ = nullptr;
  EmptyState* empty_;
  TableHold* hold_ = nullptr;
  views::TableColumns* columns_ = nullptr;  ///< null: without plans
  QList<int> constants_;
  QList<CellRow> ranked_;   ///< as last set
  bool following_ = false;  ///< the table is being synchronised, so its changes are not published
};

}  // namespace binade::app
