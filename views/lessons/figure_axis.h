// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/figure_data.h"
#include "views/plot/axis.h"

#include <optional>
#include <vector>

namespace binade::views {

/// An axis of a figure between two pixel positions; `first` belongs to its low end. A plain value.
class FigureAxis {
 public:
  FigureAxis() = default;
  FigureAxis(const lessons::Axis& axis, double first, double last);

  /// Position of a value in px, also beyond the ends. Empty for NaN, and for values that are not positive on a
  /// logarithmic axis. An infinity is far outside.
  std::optional<double> at(double value) const;
  /// As at(), but at the nearest end for values beyond it, and at the low end for those that have no position.
  double cut(double value) const;
  double valueAt(double pixel) const;
  bool shows(double value) const;
  double first() const { return first_; }
  double last() const { return last_; }

  /// Ticks, at most `most`. Their values are values of the axis, also on logarithmic axes.
  std::vector<Tick> ticks(int most) const;

 private:
  double coordinate(double value) const;

  lessons::AxisScale scale_ = lessons::AxisScale::kLinear;
  Range range_;  ///< of coordinates
  double first_ = 0;
  double last_ = 1;
};

}  // namespace binade::views
