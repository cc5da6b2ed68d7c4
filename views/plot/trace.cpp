// SPDX-License-Identifier: Apache-2.0
#include "views/plot/trace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace binade::views {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

double traceRatio(const TraceCanvas& canvas) {
  return 1 / canvas.width();
}

/// The samples of each column of pixels.
class TraceColumns {
 public:
  TraceColumns(const TraceCanvas& canvas, const TraceFrame& frame, const Series& series)
      : canvas_(canvas), frame_(frame), series_(series) {
    // Buckets at most half a column wide move a sample by less than half a device pixel.
    const double steps = frame.steps().span() / std::max(canvas.columns(), 1);
    int log2_width = 0;
    while (std::ldexp(4, log2_width) * (1 + series.buckets().phase()) <= steps) ++log2_width;
    cached_ = steps >= 2;
    if (!cached_) return;
    series.buckets().cover(series, static_cast<std::int64_t>(std::ceil(frame.steps().low)),
                           static_cast<std::int64_t>(std::ceil(frame.steps().high)) + 1, log2_width);
  }

  std::int64_t firstStep(int column) const {
    return static_cast<std::int64_t>(std::ceil(frame_.step(canvas_.x(column))));
  }
  SeriesRecord at(int column) const { return between(firstStep(column), firstStep(column + 1)); }
  SeriesRecord between(std::int64_t first, std::int64_t end) const {
    if (cached_) return series_.buckets().over(first, end);
    return series_.query(first, end);
  }

  /// The columns between which the series has samples: first <= column < end.
  int first() const {
    return std::clamp(static_cast<int>(column(static_cast<double>(series_.stepAt(0)))) - 1, 0, canvas_.columns());
  }
  int end() const {
    return std::clamp(static_cast<int>(column(static_cast<double>(series_.lastStep()))) + 2, 0, canvas_.columns());
  }

 private:
  double column(double step) const {
    return std::clamp((frame_.x(step) - canvas_.x(0)) / canvas_.width(), -2.0, canvas_.columns() + 2.0);
  }

  const TraceCanvas& canvas_;
  const TraceFrame& frame_;
  const Series& series_;
  bool cached_ = false;
};

void fillSpan(TraceCanvas& canvas, int column, double top, double bottom, double thickness, QRgb color) {
  const double half = std::max(thickness, bottom - top) / 2;
  const double middle = (top + bottom) / 2;
  canvas.fill(column, middle - half, middle + half, color);
}

void drawColumns(TraceCanvas& canvas, const TraceFrame& frame, const Series& series, QRgb color, double thickness) {
  const TraceColumns columns(canvas, frame, series);
  const double ratio = traceRatio(canvas);
  constexpr double kSteepest = 8;  // beyond this slope the stroke grows no more
  double previous = kNothing;      // where the last column ended
  int without = 0;                 // columns since then that have no sample
  const auto join = [&](int until, double rise) {
    for (int empty = until - without; empty < until; ++empty, previous += rise) {
      fillSpan(canvas, empty, std::min(previous, previous + rise), std::max(previous, previous + rise), thickness,
               color);
    }
  };
  const int end = columns.end();
  std::int64_t next = columns.firstStep(columns.first());
  for (int column = columns.first(); column < end; ++column) {
    const std::int64_t first = next;
    next = columns.firstStep(column + 1);
    const SeriesRecord bucket = columns.between(first, next);
    if (bucket.count == 0) {
      ++without;
      continue;
    }
    if (!bucket.finite()) {
      previous = kNothing;
      without = 0;
      continue;
    }
    const double last = frame.y(bucket.last);
    double top = frame.y(bucket.max);
    double bottom = frame.y(bucket.min);
    if (std::isfinite(previous)) {
      const double rise = (std::clamp(previous, top, std::max(top, bottom)) - previous) / (without + 1);
      join(column, rise);
      top = std::min(top, previous);
      bottom = std::max(bottom, previous);
    }
    without = 0;
    // The height that a stroke of this thickness has in a column: it grows with the slope.
    double stroke = thickness;
    if (thickness > 1 && bottom - top < thickness * kSteepest && std::isfinite(previous) && std::isfinite(last)) {
      const double slope = (last - previous) * ratio;
      stroke *= std::min(std::sqrt(1 + slope * slope), kSteepest);
    }
    fillSpan(canvas, column, top, bottom, stroke, color);
    previous = last;
  }
  // The next sample may lie beyond the right edge.
  const std::size_t after = series.lowerBound(next);
  if (without == 0 || !std::isfinite(previous) || after == series.size()) return;
  const double ahead = (frame.x(static_cast<double>(series.stepAt(after))) - canvas.x(end - without)) * ratio;
  const double rise = (frame.y(series.valueAt(after)) - previous) / std::max(ahead, 1.0);
  if (std::isfinite(rise)) join(end, rise);
}

void drawSegments(TraceCanvas& canvas, const TraceFrame& frame, const Series& series, std::size_t first,
                  std::size_t end, const QColor& color, double thickness) {
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
  QPainter& painter = canvas.flush();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  // Separate segments, of which wide ones are cheap; a cosmetic pen's width is in device pixels.
  QPen pen(color, thickness * traceRatio(canvas), Qt::SolidLine, Qt::RoundCap);
  pen.setCosmetic(true);
  painter.setPen(pen);
  painter.drawLines(segments.data(), static_cast<int>(segments.size()));
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  for (const QPointF& point : alone) painter.drawEllipse(point, 2, 2);
  painter.restore();
}

}  // namespace

void drawTrace(TraceCanvas& canvas, const TraceFrame& frame, const Series& series, const QColor& color,
               double thickness) {
  if (series.empty()) return;
  const std::size_t first = series.lowerBound(static_cast<std::int64_t>(std::floor(frame.steps().low)));
  const std::size_t end = series.lowerBound(static_cast<std::int64_t>(std::ceil(frame.steps().high)) + 1);
  const double wide = end > first ? frame.x(static_cast<double>(series.stepAt(end - 1))) -
                                        frame.x(static_cast<double>(series.stepAt(first)))
                                  : 0;
  if (end > first + 2 && static_cast<double>(end - first) > wide / 2) {
    drawColumns(canvas, frame, series, color.rgb(), thickness);
  } else {
    // One more sample at each end, so that the line reaches the chart's edges.
    drawSegments(canvas, frame, series, first > 0 ? first - 1 : 0, std::min(end + 1, series.size()), color, thickness);
  }
}

void drawStepTrace(TraceCanvas& canvas, const TraceFrame& frame, const Series& series, const QColor& color,
                   double thickness) {
  if (series.empty()) return;
  const TraceColumns columns(canvas, frame, series);
  const auto latest = static_cast<double>(series.lastStep()) + 1;
  const int upright = std::max(1, static_cast<int>(std::lround(thickness * traceRatio(canvas))));
  double previous = kNothing;  // where the last column ended
  for (int column = 0; column < canvas.columns(); ++column) {
    if (frame.step(canvas.x(column)) > latest) break;
    SeriesRecord bucket = columns.at(column);
    if (bucket.count == 0) {
      const auto held = series.at(columns.firstStep(column) - 1);
      if (!held) continue;
      bucket.add(series.valueAt(*held));
    }
    if (!bucket.finite()) {
      previous = kNothing;
      continue;
    }
    double top = frame.y(bucket.max);
    double bottom = frame.y(bucket.min);
    if (std::isfinite(previous)) {
      top = std::min(top, previous);
      bottom = std::max(bottom, previous);
    }
    previous = frame.y(bucket.last);
    if (bottom - top <= thickness) {
      fillSpan(canvas, column, top, bottom, thickness, color.rgb());
      continue;
    }
    // A vertical stretch as wide as the line, with square corners.
    for (int i = 0; i < upright; ++i) {
      canvas.fill(column + i, top - thickness / 2, bottom + thickness / 2, color.rgb());
    }
  }
}

void drawRange(TraceCanvas& canvas, const TraceFrame& frame, const Series& low, const Series& high, const QColor& color,
               const QColor& edge) {
  if (low.empty()) return;
  const TraceColumns lows(canvas, frame, low);
  const TraceColumns highs(canvas, frame, high);
  SeriesRecord lowest;
  SeriesRecord highest;
  // A sample fills its step, which may be wider than a column and begin left of the area.
  const std::int64_t before = lows.firstStep(0) - 1;
  if (const auto held = low.at(before); held && low.stepAt(*held) == before) {
    lowest.add(low.valueAt(*held));
    highest.add(high.valueAt(*held));
  }
  double last_top = 0;
  double last_bottom = 0;
  bool joined = false;  // the column before is filled
  for (int column = 0; column < canvas.columns(); ++column) {
    const SeriesRecord here = lows.at(column);
    if (here.count > 0) {
      lowest = here;
      highest = highs.at(column);
    } else if (lows.firstStep(column) < lows.firstStep(column + 1)) {
      lowest = {};
    }
    if (!lowest.finite() || !highest.finite()) {
      joined = false;
      continue;
    }
    const double top = frame.y(highest.max);
    const double bottom = std::max(frame.y(lowest.min), top + 1);
    canvas.fill(column, top, bottom, color.rgb());
    canvas.fill(column, top, top + 1, edge.rgb());
    canvas.fill(column, bottom - 1, bottom, edge.rgb());
    // Where an edge steps, it is drawn upright.
    if (joined && std::fabs(last_top - top) > 1)
      canvas.fill(column, std::min(last_top, top), std::max(last_top, top), edge.rgb());
    if (joined && std::fabs(last_bottom - bottom) > 1)
      canvas.fill(column, std::min(last_bottom, bottom), std::max(last_bottom, bottom), edge.rgb());
    last_top = top;
    last_bottom = bottom;
    joined = true;
  }
}

}  // namespace binade::views
