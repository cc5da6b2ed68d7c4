// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/plot/axis.h"

#include <vector>

namespace binade::views {

/// The horizontal axis of the ruler. A coordinate is the value itself (linear), or its exponent, log2 of the magnitude
/// (logarithmic, positive values only). A plain value.
class RulerAxis {
 public:
  enum class Scale { kLinear, kLog2 };

  Scale scale() const { return scale_; }
  bool isLog() const { return scale_ == Scale::kLog2; }
  /// Shown coordinates.
  Range range() const { return range_; }
  /// Shown values.
  Range values() const;

  /// Sets scale and range. The range is kept within the numbers of float32 and wide enough for a double to tell
  /// neighbouring pixels apart.
  void set(Scale scale, Range range);
  /// Multiplies the span by `factor`; the coordinate `at` stays in place.
  void zoom(double at, double factor);
  void pan(double coordinates);
  /// Shows these values. On the logarithmic scale, `low` must be positive.
  void showValues(Scale scale, Range values);

  /// Coordinate of a value; of its magnitude on the logarithmic scale, where 0 is minus infinity.
  double coordinate(double value) const;
  double value(double coordinate) const;

  /// The value with fewest bits at a coordinate: a multiple of the smallest power of two that is at least as large as
  /// `pixel` coordinates are there. So a pointer can hit numbers and ties exactly once they are a pixel apart.
  double snapped(double coordinate, double pixel) const;

  /// Ticks at coordinates, at most `most`: powers of two over many binades, otherwise decimal values with enough digits
  /// to tell them apart.
  std::vector<Tick> ticks(int most) const;

 private:
  Scale scale_ = Scale::kLog2;
  Range range_{-32, 24};
};

}  // namespace binade::views
