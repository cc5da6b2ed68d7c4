// SPDX-License-Identifier: Apache-2.0
#include "views/table/timeline.h"

#include "views/theme.h"
#include "views/values/numbers.h"

#include <QPainter>

namespace binade::views {

namespace {

constexpr double kTextFrom = 26;
constexpr double kFirstLine = 18;  // its middle, from the top of the row
constexpr double kSecondLine = 38;

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

}  // namespace

void TimelineDelegate::paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem&,
                                    const QModelIndex& index) const {
  const Colors& c = colors();
  drawMarkOnLine(painter, rect, index);
  const QRectF first(rect.left() + kTextFrom, rect.top() + kFirstLine - 10, rect.width() - kTextFrom, 20);
  const QString note = index.data(HeadNoteRole).toString();
  const QFont small = figureFont(11);
  const double note_wide = note.isEmpty() ? 0 : textWidth(small, note) + 8;
  painter.setFont(small);
  painter.setPen(c.secondText);
  drawText(painter, first, Qt::AlignRight | Qt::AlignVCenter, note);
  const bool struck = index.data(StruckRole).toBool();
  QFont head = textFont(12, struck ? QFont::Normal : QFont::Medium);
  head.setStrikeOut(struck);
  painter.setFont(head);
  painter.setPen(struck ? c.secondText : c.text);
  drawText(painter, first.adjusted(0, 0, -note_wide, 0), Qt::AlignLeft | Qt::AlignVCenter,
           index.data(HeadRole).toString());

  QRectF second(first.left(), rect.top() + kSecondLine - 10, first.width(), 20);
  const auto shape = static_cast<VerdictShape>(index.data(VerdictRole).toInt());
  if (shape != VerdictShape::kNone) {
    drawVerdict(painter, shape, {second.left() + 5, second.center().y()});
    second.setLeft(second.left() + 18);
  }
  const QFont text = textFont(11);
  const QString foot = index.data(FootRole).toString();
  painter.setFont(text);
  painter.setPen(c.secondText);
  if (const QString format = index.data(FormatRole).toString(); !format.isEmpty()) {
    const auto execution = static_cast<CellExecution>(index.data(ExecutionRole).toInt());
    drawFormatSquare(painter, QRectF(second.left(), second.center().y() - 5, 10, 10), format, execution);
    second.setLeft(second.left() + 16);
    painter.setFont(text);
    painter.setPen(c.secondText);
    // The square also tells the format; the name gives way to a foot that would be cut.
    const double name = textWidth(text, format) + (foot.isEmpty() ? 0 : 10);
    if (foot.isEmpty() || name + textWidth(text, foot) <= second.width()) {
      drawText(painter, second, Qt::AlignLeft | Qt::AlignVCenter, format);
      second.setLeft(second.left() + name);
    }
  }
  if (second.width() > 0) drawText(painter, second, Qt::AlignLeft | Qt::AlignVCenter, foot);
}

}  // namespace binade::views
