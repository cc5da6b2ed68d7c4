// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QTimer>

class QTableView;

namespace binade::app {

/// Detects whether the user is at a table: the pointer is over it or its surroundings, an editor, menu or dialog opened
/// from there is open, or its rows are being navigated by keys. Rows must keep their places then.
class TableHold : public QObject {
  Q_OBJECT

 public:
  /// `around`: the widget that contains the table and its surroundings. Both must outlive this.
  TableHold(QTableView* table, QWidget* around);

  bool isHeld() const;
  /// Whether an editor is open in the table, or a menu or dialog anywhere.
  bool isEditing() const;

 Q_SIGNALS:
  /// The user has left, so rows may move again.
  void released();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool isAtTable() const;
  bool isEditorOpen() const;
  void check();

  QTableView* table_;
  QWidget* around_;
  QTimer poll_;        ///< runs while held, since no event announces that a menu was closed with the pointer elsewhere
  bool at_ = false;    ///< when last checked
  bool open_ = false;  ///< a menu or dialog that was opened while the user was at the table
  bool by_keys_ = false;
};

}  // namespace binade::app
