// SPDX-License-Identifier: Apache-2.0
#include "views/table/timeline.h"

#include "views/theme.h"
#include "views/values/elide.h"
#include "views/values/numbers.h"

#include <QAbstractItemModel>
#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QTableView>

namespace binade::views {

namespace {

constexpr double kTextFrom = 26;
constexpr double kFirstLine = 18;  // its middle, from the top of the row
constexpr double kSecondLine = 38;
constexpr double kFurtherLine = 16;  // height of each further line of a text
constexpr int kMostLines = 2;        // of the title, and of the foot
constexpr double kShapeWide = 18;
constexpr double kSquareWide = 16;

QFont noteFont() {
  return figureFont(11);
}

QFont footFont() {
  return textFont(11);
}

QFont titleFont(const QModelIndex& index) {
  const bool struck = index.data(StruckRole).toBool();
  QFont font = textFont(12, struck ? QFont::Normal : QFont::Medium);
  font.setStrikeOut(struck);
  return font;
}

VerdictShape shapeOf(const QModelIndex& index) {
  return static_cast<VerdictShape>(index.data(VerdictRole).toInt());
}

/// `width`: of the cell's content.
QStringList titleLines(const QModelIndex& index, double width) {
  const QString note = index.data(HeadNoteRole).toString();
  const double note_wide = note.isEmpty() ? 0 : textWidth(noteFont(), note) + 8;
  return brokenLines(index.data(HeadRole).toString(), titleFont(index), width - kTextFrom - note_wide, kMostLines);
}

QStringList footLines(const QModelIndex& index, double width) {
  const double shape_wide = shapeOf(index) == VerdictShape::kNone ? 0 : kShapeWide;
  const double square_wide = index.data(FormatRole).toString().isEmpty() ? 0 : kSquareWide;
  return brokenLines(index.data(FootRole).toString(), footFont(), width - kTextFrom - shape_wide - square_wide,
                     kMostLines);
}

/// The part of the line in this row, and the mark on it.
void drawMarkOnLine(QPainter& painter, const QRectF& rect, const QModelIndex& index) {
  const Colors& c = colors();
  const double x = rect.left() + 8;
  const double y = rect.top() + kFirstLine;
  const bool newest = index.row() == 0;
  const bool oldest = index.row() + 1 == index.model()->rowCount();
  painter.setPen(QPen(c.line, 1));
  painter.drawLine(QPointF(x, newest ? y : rect.top()), QPointF(x, oldest ? y : rect.bottom()));
  painter.setRenderHint(QPainter::Antialiasing);
  const bool now = index.data(NowRole).toBool();
  painter.setPen(QPen(now ? c.indigo : c.secondText, 1.4));
  painter.setBrush(now ? c.indigo : c.panel);
  painter.drawEllipse(QPointF(x, y), 4, 4);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Draws lines below each other. `first`: the place of the first.
void drawLines(QPainter& painter, QRectF first, const QStringList& lines) {
  for (const QString& line : lines) {
    drawText(painter, first, Qt::AlignLeft | Qt::AlignVCenter, line);
    first.translate(0, kFurtherLine);
  }
}

/// Keeps each row of a table as high as its entry needs. Owned by the table.
class TimelineRows : public QObject {
 public:
  explicit TimelineRows(QTableView* table) : QObject(table), table_(table) {
    table->viewport()->installEventFilter(this);
    const QAbstractItemModel* model = table->model();
    connect(model, &QAbstractItemModel::modelReset, this, &TimelineRows::fit);
    connect(model, &QAbstractItemModel::layoutChanged, this, &TimelineRows::fit);
    connect(model, &QAbstractItemModel::dataChanged, this, &TimelineRows::fit);
    connect(model, &QAbstractItemModel::rowsInserted, this, &TimelineRows::fit);
    fit();
  }

  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Resize || event->type() == QEvent::FontChange) fit();
    return QObject::eventFilter(watched, event);
  }

 private:
  void fit() {
    const int width = table_->viewport()->width();
    const int rows = table_->model()->rowCount();
    for (int row = 0; row < rows; ++row) {
      const int high = TimelineDelegate::heightOf(table_->model()->index(row, 0), width);
      if (table_->rowHeight(row) != high) table_->setRowHeight(row, high);
    }
  }

  QTableView* table_;
};

}  // namespace

int TimelineDelegate::heightOf(const QModelIndex& index, int width) {
  const double content = width - 2 * kPad;
  const qsizetype further = titleLines(index, content).size() + footLines(index, content).size() - 2;
  return kHigh + static_cast<int>(static_cast<double>(further) * kFurtherLine);
}

void TimelineDelegate::paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem&,
                                    const QModelIndex& index) const {
  const Colors& c = colors();
  drawMarkOnLine(painter, rect, index);
  const QRectF first(rect.left() + kTextFrom, rect.top() + kFirstLine - 10, rect.width() - kTextFrom, 20);
  painter.setFont(noteFont());
  painter.setPen(c.secondText);
  drawText(painter, first, Qt::AlignRight | Qt::AlignVCenter, index.data(HeadNoteRole).toString());
  const QStringList title = titleLines(index, rect.width());
  painter.setFont(titleFont(index));
  painter.setPen(index.data(StruckRole).toBool() ? c.secondText : c.text);
  drawLines(painter, first, title);

  const double down = kSecondLine + static_cast<double>(title.size() - 1) * kFurtherLine;
  QRectF second(first.left(), rect.top() + down - 10, first.width(), 20);
  if (const VerdictShape shape = shapeOf(index); shape != VerdictShape::kNone) {
    drawVerdict(painter, shape, {second.left() + 5, second.center().y()});
    second.setLeft(second.left() + kShapeWide);
  }
  const QStringList foot = footLines(index, rect.width());
  if (const QString format = index.data(FormatRole).toString(); !format.isEmpty()) {
    const auto execution = static_cast<CellExecution>(index.data(ExecutionRole).toInt());
    drawFormatSquare(painter, QRectF(second.left(), second.center().y() - 5, 10, 10), format, execution);
    second.setLeft(second.left() + kSquareWide);
    painter.setFont(footFont());
    painter.setPen(c.secondText);
    // The square also tells the format; the name gives way to a foot that would be cut.
    const double name = textWidth(footFont(), format) + (foot.front().isEmpty() ? 0 : 10);
    const bool fits = foot.size() == 1 && name + textWidth(footFont(), foot.front()) <= second.width();
    if (foot.front().isEmpty() || fits) {
      drawText(painter, second, Qt::AlignLeft | Qt::AlignVCenter, format);
      second.setLeft(second.left() + name);
    }
  }
  painter.setFont(footFont());
  painter.setPen(c.secondText);
  if (second.width() > 0) drawLines(painter, second, foot);
}

void showTimeline(QTableView* table) {
  table->setItemDelegateForColumn(0, new TimelineDelegate(table));
  table->verticalHeader()->setDefaultSectionSize(TimelineDelegate::kHigh);
  table->horizontalHeader()->setVisible(false);
  table->horizontalHeader()->setStretchLastSection(true);
  table->setAlternatingRowColors(false);
  new TimelineRows(table);
}

}  // namespace binade::views
