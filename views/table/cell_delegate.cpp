// SPDX-License-Identifier: Apache-2.0
#include "views/numbers.h"
#include "views/table/delegates.h"
#include "views/theme.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QTableView>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {
constexpr int kRow = 24;
constexpr int kPad = 8;
constexpr int kTitleRoom = 32;  // both margins and the arrow of a sorted column

// Ends a table's rows where a whole one ends: the rest of a row would look like a row.
class WholeRows : public QObject {
 public:
  explicit WholeRows(QTableView* table) : QObject(table), table_(table) { table->installEventFilter(this); }

  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show) fit();
    return QObject::eventFilter(watched, event);
  }

 private:
  void fit() {
    const int row = table_->verticalHeader()->defaultSectionSize();
    const QScrollBar* across = table_->horizontalScrollBar();
    int room = table_->height() - table_->horizontalHeader()->height();
    if (across->isVisible()) room -= across->height();
    const int rest = room > row ? room % row : 0;
    if (table_->contentsMargins().bottom() != rest) table_->setContentsMargins(0, 0, 0, rest);
  }

  QTableView* table_;
};
}  // namespace

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Colors& c = colors();
  const bool selected = option.state & QStyle::State_Selected;
  painter->save();
  painter->setClipRect(option.rect);
  const bool other = option.features & QStyleOptionViewItem::Alternate;
  const int lit = index.data(LitRole).toInt();
  painter->fillRect(option.rect, lit > 1 ? c.crimsonGround : selected ? c.selectedRow : other ? c.otherRow : c.panel);
  if ((selected || lit > 0) && index.column() == firstVisibleColumn(option.widget)) {
    painter->fillRect(QRect(option.rect.left(), option.rect.top(), lit > 0 ? 3 : 2, option.rect.height()),
                      lit > 0 ? c.crimson : c.indigo);
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

void CellDelegate::paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
  const QString text = index.data(Qt::DisplayRole).toString();
  if (text.isEmpty()) return;
  const QVariant aligned = index.data(Qt::TextAlignmentRole);
  const Qt::Alignment alignment = aligned.isValid() ? Qt::Alignment(aligned.toInt()) : Qt::AlignLeft;
  const bool number = alignment & Qt::AlignRight;
  painter.setFont(fontOf(index, number));
  painter.setPen(penOf(option, index, number));
  drawText(painter, rect, (alignment & Qt::AlignHorizontal_Mask) | Qt::AlignVCenter, text);
}

QFont CellDelegate::fontOf(const QModelIndex& index, bool number) {
  const QFont::Weight weight = index.data(AttentionRole).toBool() ? QFont::DemiBold : QFont::Normal;
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

void styleTable(QTableView* table) {
  table->setItemDelegate(new CellDelegate(table));
  table->setShowGrid(false);
  table->setAlternatingRowColors(true);
  table->setWordWrap(false);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  table->setFrameShape(QFrame::NoFrame);
  table->setCornerButtonEnabled(false);
  table->verticalHeader()->hide();
  table->verticalHeader()->setMinimumSectionSize(kRow);
  table->verticalHeader()->setDefaultSectionSize(kRow);
  table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  QHeaderView* header = table->horizontalHeader();
  header->setFixedHeight(kRow);
  header->setHighlightSections(false);
  header->setSectionsMovable(true);
  header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  header->setStretchLastSection(true);
  table->setSortingEnabled(true);
  // Tab goes on to the next widget; arrows move inside.
  table->setTabKeyNavigation(false);
}

void setColumnWidths(QTableView* table, const QList<int>& widths) {
  // The header's own size hints know the style sheet's font only once the table is shown.
  const QFontMetricsF title(textFont(12, QFont::DemiBold));
  for (int column = 0; column < widths.size(); ++column) {
    const QString text = table->model()->headerData(column, Qt::Horizontal).toString();
    table->setColumnWidth(
        column, std::max(widths[column], static_cast<int>(std::ceil(title.horizontalAdvance(text))) + kTitleRoom));
  }
}

void showWholeRows(QTableView* table) {
  new WholeRows(table);
}

}  // namespace binade::views
