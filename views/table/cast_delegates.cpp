// SPDX-License-Identifier: Apache-2.0
#include "views/table/cast_delegates.h"

#include "views/theme.h"
#include "views/values/numbers.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kCastSquare = 10;
constexpr double kCastGap = 6;  // between a square and its format's name
constexpr int kLowerFont = 11;  // px, font of the second line

QString arrow() {
  return QStringLiteral(" → ");
}

QRectF upperLine(const QRectF& rect) {
  return {rect.left(), rect.top() + 2, rect.width(), 19};
}

QRectF lowerLine(const QRectF& rect) {
  return {rect.left(), rect.top() + 20, rect.width(), 17};
}

/// Draws a format with its square at the left of `rect`. Returns the x at which it ends.
double drawFormat(QPainter& painter, const QRectF& rect, const QString& format) {
  const QRectF square(rect.left(), std::floor(rect.center().y() - kCastSquare / 2) + 1, kCastSquare, kCastSquare);
  drawFormatSquare(painter, square, format, CellExecution::kNative);
  const QRectF name = rect.adjusted(kCastSquare + kCastGap, 0, 0, 0);
  drawText(painter, name, Qt::AlignLeft | Qt::AlignVCenter, format);
  return name.left() + textWidth(painter.font(), format);
}

double formatWidth(const QString& format, int size) {
  return kCastSquare + kCastGap + textWidth(textFont(size), format);
}

QString argumentOf(const QModelIndex& index) {
  const QString argument = index.data(FootRole).toString();
  return argument.isEmpty() ? QString() : QStringLiteral(", ") + argument;
}

}  // namespace

double CastDelegate::callRoom(const QModelIndex& index, double width) {
  // At least half of the line is the op call's: a long argument is elided.
  return std::max(width - textWidth(textFont(kLowerFont), argumentOf(index)), width / 2);
}

void CastDelegate::paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
  const QStringList formats = index.data(FormatsRole).toStringList();
  painter.setFont(textFont(12));
  painter.setPen(penOf(option, index, false));
  if (formats.size() == 2) {
    QRectF line = upperLine(rect);
    line.setLeft(drawFormat(painter, line, formats[0]));
    drawText(painter, line, Qt::AlignLeft | Qt::AlignVCenter, arrow());
    line.setLeft(line.left() + textWidth(painter.font(), arrow()));
    drawFormat(painter, line, formats[1]);
  }
  painter.setFont(textFont(kLowerFont));
  painter.setPen(colors().secondText);
  drawText(painter, lowerLine(rect), Qt::AlignLeft | Qt::AlignVCenter,
           shownCall(index, callRoom(index, rect.width())) + argumentOf(index));
}

double CastDelegate::contentWidth(const QModelIndex& index) const {
  const QStringList formats = index.data(FormatsRole).toStringList();
  const double above =
      formats.size() == 2 ? formatWidth(formats[0], 12) + textWidth(textFont(12), arrow()) + formatWidth(formats[1], 12)
                          : 0;
  return std::max(above, CallDelegate::contentWidth(index) + textWidth(textFont(kLowerFont), argumentOf(index)));
}

void EditDelegate::paintContent(QPainter& painter, const QRectF& rect, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
  const QString format = index.data(FormatRole).toString();
  if (format.isEmpty()) return CellDelegate::paintContent(painter, rect, option, index);
  painter.setFont(textFont(12));
  painter.setPen(penOf(option, index, false));
  drawText(painter, upperLine(rect), Qt::AlignLeft | Qt::AlignVCenter, shownCall(index, rect.width()));
  painter.setFont(textFont(kLowerFont));
  painter.setPen(colors().secondText);
  QRectF line = lowerLine(rect);
  const QString in = tr("in") + u' ';
  drawText(painter, line, Qt::AlignLeft | Qt::AlignVCenter, in);
  line.setLeft(line.left() + textWidth(painter.font(), in) + 2);
  drawFormat(painter, line, format);
}

double EditDelegate::contentWidth(const QModelIndex& index) const {
  const QString format = index.data(FormatRole).toString();
  if (format.isEmpty()) return CellDelegate::contentWidth(index);
  return std::max(textWidth(textFont(12), index.data(CallRole).toString()),
                  formatWidth(format, kLowerFont) + textWidth(textFont(kLowerFont), tr("in")) + kCastGap);
}

}  // namespace binade::views
