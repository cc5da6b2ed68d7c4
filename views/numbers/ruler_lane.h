// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "views/numbers/ruler_axis.h"

#include <vector>

namespace binade::views {

/// The marks of one format on the ruler, in px from the left edge of the plot. Numbers are single marks where they are
/// at least kApart px apart; elsewhere they are spans. Their number is bounded by the width of the plot.
struct RulerLane {
  static constexpr double kApart = 5;      ///< least distance of single marks
  static constexpr double kTieApart = 20;  ///< least distance of numbers whose ties are marked

  struct Mark {
    double x = 0;
    bool subnormal = false;
  };
  /// A binade whose numbers are too dense for single marks, or the subnormals.
  struct Span {
    double left = 0;
    double right = 0;
    double spacing = 0;  ///< value; the distance of neighbours
    bool subnormal = false;
  };
  /// An interval of the bar, drawn in any case.
  struct Extent {
    double left = 0;
    double right = 0;
  };

  std::vector<Mark> numbers;
  std::vector<double> ties;  ///< midpoints of neighbours, and the limit at which values overflow
  std::vector<Span> dense;
  Extent bar;                   ///< from the smallest to the largest number, cut to the plot
  Extent subnormals;            ///< cut to the plot
  bool visible = false;         ///< a part of the bar, perhaps less than a pixel, lies in the plot
  bool continuesLeft = false;   ///< the bar continues beyond the plot
  bool continuesRight = false;  ///< the bar continues beyond the plot
};

RulerLane rulerLane(const RulerAxis& axis, const formats::Format& format, double width);

/// Position of a value in px from the left edge of a plot of this width; kept within ±1e6 px.
double rulerX(const RulerAxis& axis, double value, double width);

}  // namespace binade::views
