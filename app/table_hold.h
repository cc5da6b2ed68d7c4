// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QTimer>

class QTableView;

namespace binade::app {

/// Whether a person is at a table: the pointer is over it or over what stands around it, an editor, a menu or a dialog
/// that was opened from there is open, or its rows are walked through by keys. Rows must keep their places then.
class TableHold : public QObject {
  Q_OBJECT

 public:
  /// `around`: the part of the window that belongs to the table, the table among it. Both must outlive this.
  TableHold(QTableView* table, QWidget* around);

  bool isHeld() const;

 Q_SIGNALS:
  /// The person has left: rows may move again.
  void released();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool isAtTable() const;
  void look();

  QTableView* table_;
  QWidget* around_;
  QTimer poll_;        ///< while held: nothing tells when a menu has closed with the pointer elsewhere
  bool at_ = false;    ///< when last looked
  bool open_ = false;  ///< a menu or a dialog, opened while the person was at the table
  bool by_keys_ = false;
};

}  // namespace binade::app
