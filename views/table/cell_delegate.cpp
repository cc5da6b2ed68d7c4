// SPDX-License-Identifier: Apache-2.0
#include "views/table/delegates.h"
#include "views/theme.h"
#include "views/values/elide.h"
#include "views/values/numbers.h"

#include <QHeaderView>
#include <QPainter>
#include <QTableView>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {
constexpr int kRow = 24;
}  // namespace

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Colors& c = colors();
  const bool selected = option.state & QStyle::State_Selected;
  painter->save();
  painter->setClipRect(option.rect);
  const bool other = option.features & QStyleOptionViewItem::Alternate;
  const int lit = index.data(LitRole).toInt();
  painter->fillRect(option.rect, selected ? c.selectedRow : other ? c.otherRow : c.panel);
  // Selection is indigo whatever else the row shows; a fault's edge stands beside it.
  if ((selected || lit > 0) && index.column() == firstVisibleColumn(option.widget)) {
    const QRect edge(option.rect.left(), option.rect.top(), 2, option.rect.height());
    if (selected) painter->fillRect(edge, c.indigo);
    if (lit > 0) painter->fillRect(selected ? edge.translated(2, 0) : edge.adjusted(0, 0, 1, 0), c.crimson);
  }
  paintContent(*painter, QRectF(option.rect).adjusted(kPad, 0, -kPad, 0), option, index);
  const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
  if (view && view->hasFocus() && view->currentIndex() == index) {
    painter->setPen(QPen(c.indigo, 0));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
  }
  painter->restore();
}

int CellDelegate::firstVisibleColumn(const QWidget* widget) {
  const auto* table = qobject_cast<const QTableView*>(widget);
  if (!table) return 0;
  for (int visual = 0; visual < table->horizontalHeader()->count(); ++visual) {
    const int column = table->horizontalHeader()->logicalIndex(visual);
    if (!table->isColumnHidden(column)) return column;
  }
  return 0;
}

QString CellDelegate::shownText(const QModelIndex& index, double width) {
  const QString text = index.data(Qt::DisplayRole).toString();
  const QString brief = index.data(BriefRole).toString();
  return brief.isEmpty() || textWidth(fontOf(index, false), text) <= width ? text : brief;
}

void CellDelegate::paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
  const QString text = shownText(index, rect.width());
  if (text.isEmpty()) return;
  const QVariant aligned = index.data(Qt::TextAlignmentRole);
  const Qt::Alignment alignment = aligned.isValid() ? Qt::Alignment(aligned.toInt()) : Qt::AlignLeft;
  const bool number = alignment & Qt::AlignRight;
  painter.setFont(fontOf(index, number));
  painter.setPen(penOf(option, index, number));
  const bool keep_end = index.data(KeepEndRole).toBool();
  drawText(painter, rect, (alignment & Qt::AlignHorizontal_Mask) | Qt::AlignVCenter,
           keep_end ? elidedMiddle(text, painter.font(), rect.width()) : text);
}

QFont CellDelegate::fontOf(const QModelIndex& index, bool number) {
  const bool strong = index.data(AttentionRole).toBool() || index.data(StrongRole).toBool();
  const QFont::Weight weight = strong ? QFont::DemiBold : QFont::Normal;
  return number ? figureFont(12, weight) : textFont(12, weight);
}

QColor CellDelegate::penOf(const QStyleOptionViewItem& option, const QModelIndex& index, bool number) {
  const Colors& c = colors();
  if (number && index.data(AttentionRole).toBool()) return c.crimson;
  const bool selected = option.state & QStyle::State_Selected;
  if (index.data(QuietRole).toBool()) return selected ? c.secondText : number ? c.thirdText : c.secondText;
  return c.text;
}

double CellDelegate::contentWidth(const QModelIndex& index) const {
  const QVariant aligned = index.data(Qt::TextAlignmentRole);
  const bool number = aligned.isValid() && (aligned.toInt() & Qt::AlignRight);
  return textWidth(fontOf(index, number), index.data(Qt::DisplayRole).toString());
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
  return {static_cast<int>(std::ceil(contentWidth(index))) + 2 * kPad + 1, kRow};
}

}  // namespace binade::views
