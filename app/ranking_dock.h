// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cell_model.h"
#include "app/dock.h"
#include "app/run_model.h"
#include "app/selection.h"

#include <QList>
#include <QString>

#include <vector>

class QHBoxLayout;
class QLabel;
class QSortFilterProxyModel;
class QTableView;
class QVBoxLayout;

namespace binade::app {

class EmptyState;
class TableHold;

/// Base of the docks that rank op calls by a figure: one line of what they come to together, with controls beside it,
/// and a table below; words where there is nothing to rank yet. Rows come whole and already ranked; a click on a title
/// sorts them otherwise. The row that is chosen stays chosen while figures change, and follows the window's selection;
/// rows keep their places while a person is at the table.
class RankingDock : public Dock {
  Q_OBJECT

 public:
  QTableView* table() const { return table_; }
  CellModel* model() const { return model_; }
  QLabel* summary() const { return summary_; }
  EmptyState* empty() const { return empty_; }

 protected:
  struct Shape {
    QString id;  ///< of the dock, for layouts
    QString title;
    QString about;  ///< the table's accessible name: `Casts of a step`
    QList<CellModel::Column> columns;
    QList<int> widths;
    QList<int> least{};     ///< see views::setColumnWidths
    int call = 0;           ///< the column with the op call
    QList<int> formats{};   ///< columns that show a format
    QList<int> verdicts{};  ///< columns of a shape and words
  };

  /// Both must outlive the dock.
  RankingDock(const Shape& shape, RunModel* run, Selection* selection, QWidget* parent);

  RunModel& run() const { return *run_; }
  Selection& selection() const { return *selection_; }
  /// A control beside the line, at the right end.
  void addControl(QWidget* control);
  /// What stands below the table.
  void addFoot(QWidget* foot);
  void setSummary(const QString& line);
  void setRows(QList<CellRow> rows);
  /// The id of the chosen row; -1 for none.
  qlonglong chosen() const;
  /// The op calls that a row is about, the one that matters most first.
  virtual std::vector<int> sitesOf(qlonglong id) const;
  /// Chooses a row as a person would.
  void choose(qlonglong id);
  /// A person chose this row: its op calls become the window's selection.
  virtual void publish(qlonglong id);
  /// Another row is chosen, or none, or its figures are new.
  virtual void chosenChanged() {}

 private:
  void chooseRow(int sourceRow);
  void tableChanged();
  void follow(const std::vector<int>& sites);
  QList<CellRow> inPlace(const QList<CellRow>& rows) const;

  RunModel* run_;
  Selection* selection_;
  CellModel* model_;
  QSortFilterProxyModel* sorted_;
  QTableView* table_;
  QLabel* summary_;
  QVBoxLayout* column_ = nullptr;
  QHBoxLayout* header_ = nullptr;
  EmptyState* empty_;
  TableHold* hold_ = nullptr;
  QList<CellRow> ranked_;   ///< as they were given last
  bool following_ = false;  ///< the table is being brought in line: it has nothing to tell
};

}  // namespace binade::app
