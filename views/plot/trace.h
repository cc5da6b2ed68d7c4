// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/plot/axis.h"
#include "views/plot/series.h"

#include <QColor>
#include <QPainter>

namespace binade::views {

/// Mapping of a trace: steps to the area's width, values to `top` to `bottom`.
struct TraceFrame {
  QRectF area;  ///< only its left and right edges are used
  double top = 0;
  double bottom = 0;
  Range steps;
  Range values;

  double x(double step) const { return area.left() + (step - steps.low) / steps.span() * area.width(); }
  double y(double value) const { return bottom - (value - values.low) / values.span() * (bottom - top); }
  double step(double at) const { return steps.low + (at - area.left()) / area.width() * steps.span(); }
};

/// Draws a series. With more samples than pixel columns, each column is a filled rectangle from the pyramid (a stroked
/// polyline would cost hundreds of times as much), or a short segment where a thick line is smooth. With fewer samples,
/// straight segments connect them. `thickness` is in px. Non-finite samples leave a gap.
void drawTrace(QPainter& painter, const TraceFrame& frame, const Series& series, const QColor& color, double thickness);

/// Draws a series whose values hold from their step to the next one.
void drawStepTrace(QPainter& painter, const TraceFrame& frame, const Series& series, const QColor& color,
                   double thickness);

}  // namespace binade::views
