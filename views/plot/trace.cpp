// SPDX-License-Identifier: Apache-2.0
#include "views/plot/trace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace binade::views {

namespace {

/// Device pixels per pixel; a cosmetic pen's width is in device pixels.
double deviceRatio(const QPainter& painter) {
  return painter.device() ? painter.device()->devicePixelRatioF() : 1;
}

void fillSpan(QPainter& painter, double x, double width, double top, double bottom, double thickness,
              const QColor& color) {
  const double high = std::max(thickness, bottom - top);
  const double middle = (top + bottom) / 2;
  painter.fillRect(QRectF(x, middle - high / 2, width, high), color);
}

void drawColumns(QPainter& painter, const TraceFrame& frame, const Series& series, const QColor& color,
                 double thickness) {
  const double width = 1 / deviceRatio(painter);
  const int columns = static_cast<int>(std::ceil(frame.area.width() / width));
  // A thick line is drawn smoothly by separate segments from column to column. What a column holds beyond that, and all
  // of a thin line, is a filled column.
  const bool thick = thickness > 1;
  std::vector<QLineF> segments;
  double previous = std::numeric_limits<double>::quiet_NaN();  // where the last column ended
  for (int i = 0; i < columns; ++i) {
    const double x = frame.area.left() + i * width;
    const auto first = static_cast<std::int64_t>(std::ceil(frame.step(x)));
    const auto end = static_cast<std::int64_t>(std::ceil(frame.step(x + width)));
    const SeriesRecord record = series.query(first, end);
    if (!record.finite()) {
      if (record.count > 0) previous = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    const double last = frame.y(record.last);
    double top = frame.y(record.max);
    double bottom = frame.y(record.min);
    const bool joined = std::isfinite(previous) && std::isfinite(last);
    if (thick && joined && top > std::min(previous, last) - 1 && bottom < std::max(previous, last) + 1) {
      segments.emplace_back(x - width / 2, previous, x + width / 2, last);
    } else {
      if (std::isfinite(previous)) {
        top = std::min(top, previous);
        bottom = std::max(bottom, previous);
      }
      fillSpan(painter, x, width, top, bottom, thickness, color);
    }
    previous = last;
  }
  // Round caps overlap between columns and darken the edge; a slightly thinner pen compensates.
  QPen pen(color, (thickness - 0.3) * deviceRatio(painter), Qt::SolidLine, Qt::RoundCap);
  pen.setCosmetic(true);
  painter.setPen(pen);
  painter.drawLines(segments.data(), static_cast<int>(segments.size()));
}

void drawSegments(QPainter& painter, const TraceFrame& frame, const Series& series, std::size_t first, std::size_t end,
                  const QColor& color, double thickness) {
  std::vector<QLineF> segments;
  std::vector<QPointF> alone;
  std::optional<QPointF> previous;
  bool joined = true;
  for (std::size_t i = first; i < end; ++i) {
    const double value = series.valueAt(i);
    if (!std::isfinite(value)) {
      if (previous && !joined) alone.push_back(*previous);
      previous.reset();
      continue;
    }
    const QPointF point(frame.x(static_cast<double>(series.stepAt(i))), frame.y(value));
    if (previous) segments.emplace_back(*previous, point);
    joined = previous.has_value();
    previous = point;
  }
  if (previous && !joined) alone.push_back(*previous);
  painter.setRenderHint(QPainter::Antialiasing);
  QPen pen(color, thickness * deviceRatio(painter), Qt::SolidLine, Qt::RoundCap);
  pen.setCosmetic(true);
  painter.setPen(pen);
  painter.drawLines(segments.data(), static_cast<int>(segments.size()));
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  for (const QPointF& point : alone) painter.drawEllipse(point, 2, 2);
}

}  // namespace

void drawTrace(QPainter& painter, const TraceFrame& frame, const Series& series, const QColor& color,
               double thickness) {
  if (series.empty()) return;
  painter.save();
  const std::size_t first = series.lowerBound(static_cast<std::int64_t>(std::floor(frame.steps.low)));
  const std::size_t end = series.lowerBound(static_cast<std::int64_t>(std::ceil(frame.steps.high)) + 1);
  if (static_cast<double>(end - first) > frame.area.width() / 2) {
    painter.setRenderHint(QPainter::Antialiasing);
    drawColumns(painter, frame, series, color, thickness);
  } else {
    // One more sample at each end, so that the line reaches the chart's edges.
    drawSegments(painter, frame, series, first > 0 ? first - 1 : 0, std::min(end + 1, series.size()), color, thickness);
  }
  painter.restore();
}

void drawStepTrace(QPainter& painter, const TraceFrame& frame, const Series& series, const QColor& color,
                   double thickness) {
  if (series.empty()) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const double width = 1 / deviceRatio(painter);
  const int columns = static_cast<int>(std::ceil(frame.area.width() / width));
  const auto latest = static_cast<double>(series.lastStep()) + 1;
  double previous = std::numeric_limits<double>::quiet_NaN();  // where the last column ended
  for (int i = 0; i < columns; ++i) {
    const double x = frame.area.left() + i * width;
    if (frame.step(x) > latest) break;
    const auto first = static_cast<std::int64_t>(std::ceil(frame.step(x)));
    const auto end = static_cast<std::int64_t>(std::ceil(frame.step(x + width)));
    SeriesRecord record = series.query(first, end);
    if (record.count == 0) {
      const auto held = series.at(first - 1);
      if (!held) continue;
      record.add(series.valueAt(*held));
    }
    if (!record.finite()) {
      previous = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    double top = frame.y(record.max);
    double bottom = frame.y(record.min);
    if (std::isfinite(previous)) {
      top = std::min(top, previous);
      bottom = std::max(bottom, previous);
    }
    // A vertical stretch as wide as the line, with square corners.
    const bool upright = bottom - top > thickness;
    const double wide = upright ? std::max(width, thickness) : width;
    const double pad = upright ? thickness / 2 : 0;
    fillSpan(painter, x, wide, top - pad, bottom + pad, thickness, color);
    previous = frame.y(record.last);
  }
  painter.restore();
}

}  // namespace binade::views
