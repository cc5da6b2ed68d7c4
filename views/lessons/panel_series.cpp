// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/figure_ink.h"
#include "views/lessons/figure_panel.h"
#include "views/numbers/shown_number.h"
#include "views/theme.h"
#include "views/values/typography.h"

#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

// Up to here a line of 1.6 px costs little, and its points can be told apart.
constexpr std::size_t kFewPoints = 600;
constexpr std::size_t kDottedPoints = 40;

bool drawnAt(const FigureAxis& axis, double value) {
  return std::isfinite(value) && axis.at(value).has_value();
}

}  // namespace

void FigurePanel::paintSeries(QPainter& painter, const lessons::Series& series) const {
  if (series.points.empty()) return;
  if (series.steps) return series.filled ? paintFilledSteps(painter, series) : paintSteps(painter, series);
  const bool few = series.points.size() <= kFewPoints;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, few);
  painter.setPen(figurePen(panel_, series, few));
  QPolygonF line;
  QPolygonF points;
  const auto draw = [&] {
    if (line.size() > 1) painter.drawPolyline(line);
    line.clear();
  };
  for (const lessons::Point& point : series.points) {
    if (!drawnAt(x_, point.x) || !drawnAt(y_, point.y)) {
      draw();
      continue;
    }
    line << QPointF(*x_.at(point.x), *y_.at(point.y));
    points << line.back();
  }
  draw();
  // A point between two gaps has no line.
  if (series.points.size() <= kDottedPoints || points.size() == 1) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(figurePen(panel_, series, few).color());
    for (const QPointF& point : points) painter.drawEllipse(point, 2.2, 2.2);
  }
  painter.restore();
}

void FigurePanel::paintSteps(QPainter& painter, const lessons::Series& series) const {
  painter.save();
  painter.setPen(figurePen(panel_, series, series.points.size() <= kFewPoints));
  QPolygonF line;
  const auto draw = [&] {
    if (line.size() > 1) painter.drawPolyline(line);
    line.clear();
  };
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const lessons::Point& point = series.points[i];
    if (!drawnAt(x_, point.x) || !drawnAt(y_, point.y)) {
      draw();
      continue;
    }
    // On whole pixels all steps are equally thick.
    const double x = std::round(*x_.at(point.x));
    const double y = std::round(*y_.at(point.y));
    if (!line.isEmpty()) line << QPointF(x, line.back().y());
    line << QPointF(x, y);
    // The last step holds up to the end of the axis, and one before a gap up to the gap.
    const bool last = i + 1 == series.points.size();
    if (last) line << QPointF(std::max(x, area_.right()), y);
    if (!last && !drawnAt(y_, series.points[i + 1].y)) line << QPointF(x_.cut(series.points[i + 1].x), y);
  }
  draw();
  painter.restore();
}

void FigurePanel::paintFilledSteps(QPainter& painter, const lessons::Series& series) const {
  const Colors& c = colors();
  for (std::size_t i = 0; i + 1 < series.points.size(); ++i) {
    const lessons::Point& point = series.points[i];
    if (!drawnAt(y_, point.y) || !(point.y > 0)) continue;
    const double left = std::round(x_.cut(point.x)) + 1;
    const double right = std::round(x_.cut(series.points[i + 1].x));
    const double top = std::round(*y_.at(point.y));
    const lessons::Role role = roleAt(point.x);
    const bool lost = role == lessons::Role::kZero || role == lessons::Role::kOverflow;
    const QColor color = lost ? c.crimson : role == lessons::Role::kSubnormal ? c.thirdText : c.dataLine;
    painter.fillRect(QRectF(left, std::min(top, area_.bottom() - 1), std::max(1.0, right - left),
                            std::max(1.0, area_.bottom() - top)),
                     color);
  }
}

bool FigurePanel::isCrossed(const QRectF& place) const {
  for (const lessons::Series& series : panel_.series) {
    if (series.steps) continue;
    for (std::size_t i = 0; i + 1 < series.points.size(); ++i) {
      const lessons::Point& from = series.points[i];
      const lessons::Point& to = series.points[i + 1];
      if (!drawnAt(x_, from.x) || !drawnAt(y_, from.y) || !drawnAt(x_, to.x) || !drawnAt(y_, to.y)) continue;
      const QPointF begin(*x_.at(from.x), *y_.at(from.y));
      const QPointF end(*x_.at(to.x), *y_.at(to.y));
      const double left = std::max(place.left(), begin.x());
      const double right = std::min(place.right(), end.x());
      if (left > right || begin.x() == end.x()) continue;
      const double slope = (end.y() - begin.y()) / (end.x() - begin.x());
      const double first = begin.y() + slope * (left - begin.x());
      const double last = begin.y() + slope * (right - begin.x());
      if (std::max(first, last) >= place.top() && std::min(first, last) <= place.bottom()) return true;
    }
  }
  return false;
}

bool FigurePanel::isStepped(const QRectF& place) const {
  const auto within = [](double value, double low, double high) { return value >= low && value <= high; };
  for (const lessons::Series& series : panel_.series) {
    if (!series.steps || series.filled) continue;
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      const lessons::Point& point = series.points[i];
      if (!drawnAt(x_, point.x) || !drawnAt(y_, point.y)) continue;
      const bool last = i + 1 == series.points.size();
      const double left = *x_.at(point.x);
      const double right = last ? area_.right() : x_.cut(series.points[i + 1].x);
      const double y = *y_.at(point.y);
      if (left <= place.right() && right >= place.left() && within(y, place.top(), place.bottom())) return true;
      // The riser to the next step.
      if (last || !drawnAt(y_, series.points[i + 1].y) || !within(right, place.left(), place.right())) continue;
      const double next = *y_.at(series.points[i + 1].y);
      if (std::min(y, next) <= place.bottom() && std::max(y, next) >= place.top()) return true;
    }
  }
  return false;
}

std::optional<FigureHit> FigurePanel::pointAt(QPointF position) const {
  constexpr double kNear = 14;  // px
  double nearest = kNear;
  std::optional<FigureHit> hit;
  for (const lessons::Series& series : panel_.series) {
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      const lessons::Point& point = series.points[i];
      if (!drawnAt(x_, point.x) || !drawnAt(y_, point.y)) continue;
      const double left = *x_.at(point.x);
      double right = left;
      if (series.steps) right = i + 1 < series.points.size() ? x_.cut(series.points[i + 1].x) : area_.right();
      const double dx = std::max({0.0, left - position.x(), position.x() - right});
      const double y = *y_.at(point.y);
      // All of a histogram's column is the column.
      const double dy = series.filled && position.y() >= y ? 0 : std::fabs(position.y() - y);
      const double distance = std::hypot(dx, dy);
      if (distance >= nearest) continue;
      nearest = distance;
      // The number of interest in a histogram is the magnitude, not the share of values.
      hit = FigureHit{QStringLiteral("%1%2: %3")
                          .arg(series.title.empty() ? QString() : typeset(series.title) + QStringLiteral(" · "),
                               realText(point.x), realText(point.y)),
                      PickedNumber{withoutRoundingError(series.filled ? point.x : point.y),
                                   series.filled ? std::nullopt : series.format}};
    }
  }
  return hit;
}

}  // namespace binade::views
