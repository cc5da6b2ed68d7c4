// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/figure_ink.h"

#include "views/table/delegates.h"
#include "views/values/colors.h"

#include <QString>

#include <algorithm>
#include <cmath>
#include <limits>

namespace binade::views {

using lessons::Role;

namespace {

bool isLost(Role role) {
  return role == Role::kZero || role == Role::kOverflow;
}

bool isHatched(Role role) {
  return role == Role::kSubnormal || role == Role::kQuoted;
}

/// Whether most points of a curve are drawn on those of another one, which they would hide.
bool coincide(const lessons::Axis& axis, const lessons::Series& one, const lessons::Series& other) {
  constexpr double kSamePlace = 0.01;  // of the axis
  const auto coordinate = [&](double value) {
    return axis.scale == lessons::AxisScale::kLinear ? value : std::log(value);
  };
  const double span = std::fabs(coordinate(axis.high) - coordinate(axis.low));
  const std::size_t count = std::min(one.points.size(), other.points.size());
  std::size_t same = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (one.points[i].x != other.points[i].x) continue;
    if (std::fabs(coordinate(one.points[i].y) - coordinate(other.points[i].y)) < kSamePlace * span) ++same;
  }
  return count > 1 && 2 * same > count;
}

QColor thinned(QColor color, int alpha) {
  color.setAlpha(alpha);
  return color;
}

}  // namespace

QColor figureInk(const std::optional<formats::Format>& format, Role role) {
  const Colors& c = colors();
  if (isLost(role)) return c.crimson;
  if (format) return formatColor(*format);
  switch (role) {
    case Role::kSubnormal:
    case Role::kQuoted:
      return c.thirdText;
    case Role::kPast:
      return c.indigo;
    default:
      return c.dataLine;
  }
}

QColor figureGround(Role role) {
  const Colors& c = colors();
  if (isLost(role)) return thinned(c.crimsonGround, 170);
  if (role == Role::kSubnormal) return thinned(c.band, 110);
  return Qt::transparent;
}

QColor figureLabelInk(Role role) {
  const Colors& c = colors();
  return isLost(role) ? c.crimson : c.secondText;
}

QColor textOnInk(const std::optional<formats::Format>& format, Role role) {
  const Colors& c = colors();
  if (isLost(role)) return c.crimson;
  if (isHatched(role)) return c.text;
  if (!format) return c.panel;
  return *format == formats::kFloat32 ? QColor(Qt::white) : QColor(0x12161B);
}

void fillFigureBar(QPainter& painter, const QRectF& rect, const std::optional<formats::Format>& format, Role role) {
  if (isLost(role)) {
    painter.fillRect(rect, colors().crimsonGround);
    painter.setPen(QPen(thinned(colors().crimson, 110), 0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(0, 0, -1, -1));
    return;
  }
  const QColor color = figureInk(format, role);
  if (!isHatched(role)) return painter.fillRect(rect, color);
  painter.fillRect(rect, colors().panel);
  drawHatching(painter, rect, color);
  painter.setPen(QPen(color, 0));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect.adjusted(0, 0, -1, -1));
}

QPen figurePen(const lessons::Panel& panel, const lessons::Series& series, bool sparse) {
  QColor ink = figureInk(series.format, series.role);
  for (const lessons::Series& earlier : panel.series) {
    if (&earlier == &series) break;
    // Two ways to lose values are told apart by colour too.
    if (isLost(earlier.role) && isLost(series.role)) ink = colors().dataLine;
  }
  QPen pen(ink, sparse ? 1.6 : 0);
  pen.setJoinStyle(Qt::RoundJoin);
  if ((series.role == Role::kPast && series.format) || series.role == Role::kOverflow) {
    pen.setStyle(Qt::CustomDashLine);
    pen.setDashPattern({4, 3});
    return pen;
  }
  for (const lessons::Series& earlier : panel.series) {
    if (&earlier == &series) break;
    if (earlier.filled || series.filled) continue;
    const bool same_ink = earlier.role == series.role && figureInk(earlier.format, earlier.role) == pen.color();
    if (!same_ink && (series.steps || !sparse || !coincide(panel.y, earlier, series))) continue;
    pen.setStyle(Qt::CustomDashLine);
    pen.setDashPattern(same_ink ? QList<qreal>{2, 2} : QList<qreal>{5, 4});
  }
  return pen;
}

double withoutRoundingError(double value) {
  constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
  if (!std::isfinite(value)) return value;
  const double shown = QString::number(value, 'g', 12).toDouble();
  return std::fabs(value - shown) <= kRounding * std::fabs(shown) ? shown : value;
}

void drawGoesOn(QPainter& painter, QPointF tip, bool right, const QColor& color) {
  const double back = right ? -6 : 6;
  const QPointF corners[] = {tip, tip + QPointF(back, 4), tip + QPointF(back, -4)};
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawConvexPolygon(corners, 3);
  painter.restore();
}

}  // namespace binade::views
