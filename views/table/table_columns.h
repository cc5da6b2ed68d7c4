// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHash>
#include <QList>
#include <QObject>
#include <QString>
#include <QTimer>

#include <optional>
#include <vector>

class QMenu;
class QSettings;
class QTableView;

namespace binade::views {

/// How a table arranges one of its columns.
struct ColumnPlan {
  QString id;              ///< in settings; never changes
  int width = 100;         ///< px; the title's width is the least
  int least = 0;           ///< px to which it shrinks if room is short; 0: it does not shrink
  int rank = 0;            ///< 0: always shown. Where room is short, the column with the highest rank hides first
  bool on = true;          ///< shown unless the user decides otherwise
  bool stretches = false;  ///< gets the room that no column needs; one column of a table
};

/// Arranges the columns of a table: the user chooses, orders and resizes them, which settings remember; where room is
/// short the least important ones hide; a column that says the same in every row hides too. A column that the user has
/// chosen never hides. The header's context menu is the list of columns. Owned by the table, whose model must be set.
class TableColumns : public QObject {
  Q_OBJECT

 public:
  /// `plans`: by column of the model; columns beyond them are hidden.
  TableColumns(QTableView* table, QList<ColumnPlan> plans);

  /// A column without content is hidden and not offered.
  void setAvailable(int column, bool available);
  /// A column that says the same in every row hides unless the user has chosen it.
  void setConstant(int column, bool constant);
  /// Shows or hides a column as the user's choice.
  void choose(int column, bool shown);
  /// Sets a column's width as the user's choice.
  void setWidth(int column, int width);
  /// Shows all columns as at first.
  void restore();
  /// Adds the list of columns to a menu. It describes the present state, so fill a menu when it opens.
  void fillMenu(QMenu* menu);

  /// Settings of another version are taken as far as they are understood. `group`: where they stand, `opCalls/columns`.
  void read(const QSettings& settings, const QString& group);
  void write(QSettings& settings, const QString& group) const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct State {
    bool available = true;
    bool constant = false;
    std::optional<bool> chosen;
    int by_hand = 0;  ///< width in px that the user chose; 0: none
    bool no_room = false;
  };

  bool isWanted(int column) const;
  int titleWidth(int column) const;
  int leastWidth(int column) const;
  int wantedWidth(int column) const;
  void fit();
  void hideWhatDoesNotFit(int room);
  void setWidths(int room);
  int column(const QString& id) const;

  QTableView* table_;
  QList<ColumnPlan> plans_;
  std::vector<State> states_;  ///< by column
  QTimer soon_;
  int room_ = 0;
  bool fitting_ = false;
  bool dragging_ = false;  ///< the pointer is pressed on the header
};

}  // namespace binade::views
