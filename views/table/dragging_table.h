// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTableView>

namespace binade::views {

/// A table whose selected rows can be dragged, if its model's flags allow it. The mouse that is pressed on another row
/// selects rows as in other tables.
class DraggingTable : public QTableView {
  Q_OBJECT

 public:
  using QTableView::QTableView;

 Q_SIGNALS:
  /// Emitted before the drag's own event loop.
  void dragBegan();
  /// With a drop or without one.
  void dragEnded();

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void startDrag(Qt::DropActions actions) override;
};

}  // namespace binade::views
