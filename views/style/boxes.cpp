// SPDX-License-Identifier: Apache-2.0
#include "views/style/boxes.h"

#include <QPainter>

namespace binade::views {

namespace {

void paintStroke(QPainter& painter, const QRect& rect, double turn, const QPolygonF& points, const QColor& color,
                 double width) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.translate(QRectF(rect).center());
  painter.rotate(turn);
  painter.translate(-7, -7);
  painter.drawPolyline(points);
  painter.restore();
}

/// Corners and edges on whole pixels: antialiasing would pale the corners.
void paintSquareBox(QPainter& painter, const QRect& rect, const QColor& ground, const QColor& border, int width) {
  const int in = border.alpha() > 0 ? width : 0;
  const QRect inner = rect.adjusted(in, in, -in, -in);
  if (in > 0) {
    painter.fillRect(QRect(rect.topLeft(), QPoint(rect.right(), inner.top() - 1)), border);
    painter.fillRect(QRect(QPoint(rect.left(), inner.bottom() + 1), rect.bottomRight()), border);
    painter.fillRect(QRect(QPoint(rect.left(), inner.top()), QPoint(inner.left() - 1, inner.bottom())), border);
    painter.fillRect(QRect(QPoint(inner.right() + 1, inner.top()), QPoint(rect.right(), inner.bottom())), border);
  }
  if (ground.alpha() > 0) painter.fillRect(inner, ground);
}

}  // namespace

void paintBox(QPainter& painter, const QRect& rect, const QColor& ground, const QColor& border, double width,
              double radius) {
  if (radius <= 0) return paintSquareBox(painter, rect, ground, border, qRound(width));
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const bool bordered = border.alpha() > 0;
  painter.setPen(bordered ? QPen(border, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin) : QPen(Qt::NoPen));
  painter.setBrush(ground.alpha() > 0 ? QBrush(ground) : QBrush(Qt::NoBrush));
  const double in = bordered ? width / 2 : 0;
  const double round = radius > in ? radius - in : 0;
  painter.drawRoundedRect(QRectF(rect).adjusted(in, in, -in, -in), round, round);
  painter.restore();
}

void paintTick(QPainter& painter, const QRect& rect, const QColor& color) {
  paintStroke(painter, rect, 0, {{3.2, 7.4}, {5.9, 10}, {10.8, 4.2}}, color, 1.8);
}

void paintChevron(QPainter& painter, const QRect& rect, Qt::ArrowType direction, const QColor& color) {
  const double turn = direction == Qt::UpArrow      ? 180
                      : direction == Qt::LeftArrow  ? 90
                      : direction == Qt::RightArrow ? 270
                                                    : 0;
  paintStroke(painter, rect, turn, {{3.5, 5.4}, {7, 8.9}, {10.5, 5.4}}, color, 1.2);
}

}  // namespace binade::views
