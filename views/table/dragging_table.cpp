// SPDX-License-Identifier: Apache-2.0
#include "views/table/dragging_table.h"

#include "views/theme.h"
#include "views/values/colors.h"
#include "views/values/numbers.h"

#include <QDrag>
#include <QItemSelectionModel>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QPixmap>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr int kWidest = 320;

// A label beside the pointer. The rows themselves, which Qt would draw, cover what they can be dropped on.
QPixmap labelOf(const QString& text, qreal ratio) {
  const QFont font = textFont(12);
  const QString shown = QFontMetrics(font).elidedText(text, Qt::ElideMiddle, kWidest);
  const QSize size(static_cast<int>(std::ceil(textWidth(font, shown))) + 16, qRound(24 * textScale()));
  QPixmap label(size * ratio);
  label.setDevicePixelRatio(ratio);
  label.fill(colors().selectedRow);
  QPainter painter(&label);
  painter.setPen(colors().indigo);
  painter.drawRect(QRect(QPoint(), size - QSize(1, 1)));
  painter.setFont(font);
  painter.setPen(colors().text);
  painter.drawText(QRect(QPoint(), size), Qt::AlignCenter, shown);
  return label;
}

}  // namespace

void DraggingTable::mousePressEvent(QMouseEvent* event) {
  setDragEnabled(selectionModel()->isSelected(indexAt(event->position().toPoint())));
  QTableView::mousePressEvent(event);
}

// Until the next press: another filter may take that one, and a move would then drag what was pressed before.
void DraggingTable::mouseReleaseEvent(QMouseEvent* event) {
  QTableView::mouseReleaseEvent(event);
  setDragEnabled(false);
}

void DraggingTable::startDrag(Qt::DropActions) {
  setDragEnabled(false);  // no release follows a drag
  const QModelIndexList rows = selectionModel()->selectedRows();
  QMimeData* data = model()->mimeData(rows);
  if (data == nullptr) return;
  auto* drag = new QDrag(this);
  drag->setMimeData(data);
  const QString name = rows.front().data().toString();
  const QString more = tr("%1 and %2 more").arg(name, grouped(rows.size() - 1));
  drag->setPixmap(labelOf(rows.size() == 1 ? name : more, devicePixelRatioF()));
  Q_EMIT dragBegan();
  drag->exec(Qt::CopyAction);
  Q_EMIT dragEnded();
}

}  // namespace binade::views
