// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/plot/axis.h"
#include "views/plot/trace_canvas.h"
#include "views/plot/value_scale.h"
#include "views/values/series.h"

namespace binade::views {

/// Mapping of a trace: steps to the area's width, values to `top` to `bottom`.
class TraceFrame {
 public:
  /// Of `area`, only the left and right edges are used.
  TraceFrame(const QRectF& area, double top, double bottom, const Range& steps, const Range& values,
             const ValueScale& scale = {})
      : left_(area.left()),
        width_(area.width()),
        bottom_(bottom),
        steps_(steps),
        steps_a_px_(steps.span() / area.width()),
        scale_(scale),
        low_(scale.forward(values.low)),
        unit_((bottom - top) / (scale.forward(values.high) - low_)) {}

  const Range& steps() const { return steps_; }
  double x(double step) const { return left_ + (step - steps_.low) / steps_.span() * width_; }
  double y(double value) const { return bottom_ - (scale_.forward(value) - low_) * unit_; }
  double step(double at) const { return steps_.low + (at - left_) * steps_a_px_; }

 private:
  double left_;
  double width_;
  double bottom_;
  Range steps_;
  double steps_a_px_;
  ValueScale scale_;
  double low_;
  double unit_;  ///< px per unit of the scale
};

/// Draws a series. With more than one sample in two pixels, each column of pixels is filled from minimum to maximum (a
/// stroked polyline would cost hundreds of times as much). With fewer samples, straight segments connect them.
/// `thickness` is in px. Non-finite samples leave a gap.
void drawTrace(TraceCanvas& canvas, const TraceFrame& frame, const Series& series, const QColor& color,
               double thickness);

/// Draws a series whose values hold from their step to the next one.
void drawStepTrace(TraceCanvas& canvas, const TraceFrame& frame, const Series& series, const QColor& color,
                   double thickness);

/// Fills each column of pixels from the lowest value of `low` to the highest of `high`, with lines at both ends.
/// Columns without a sample stay empty.
void drawRange(TraceCanvas& canvas, const TraceFrame& frame, const Series& low, const Series& high, const QColor& color,
               const QColor& edge);

}  // namespace binade::views
