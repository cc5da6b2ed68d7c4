// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/plot/axis.h"

#include <vector>

namespace binade::views {

/// How values are placed on a vertical axis.
class ValueScale {
 public:
  enum class Kind {
    kLinear,
    kSymlog,  ///< linear around 0, logarithmic further out, for both signs
  };

  /// Linear.
  ValueScale() = default;
  /// Symmetric logarithmic. Below `linear`, which is positive, distances are about proportional to values; above it, to
  /// their logarithms.
  static ValueScale symlog(double linear);

  Kind kind() const { return kind_; }
  /// The end of the linear part of a symlog scale.
  double linear() const { return linear_; }
  /// Position on the axis, in any unit: monotonic, and 0 for 0.
  double forward(double value) const;
  /// The value at a position.
  double inverse(double position) const;
  friend bool operator==(const ValueScale&, const ValueScale&) = default;

 private:
  Kind kind_ = Kind::kLinear;
  double linear_ = 1;
};

/// The symlog scale for values from `range.low` to `range.high`: logarithmic down to the smallest decade that the data
/// surely need, which is that of the smaller end if 0 is not between the ends, else four below the largest.
ValueScale symlogFor(const Range& range);

/// Ticks at 0 and at powers of ten of both signs, at most about `most`.
std::vector<Tick> symlogTicks(const Range& range, const ValueScale& scale, int most);

}  // namespace binade::views
