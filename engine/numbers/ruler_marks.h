// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/numbers/number.h"

#include <cstddef>
#include <vector>

namespace binade::numbers {

/// Numbers of a format in an interval, as a ruler draws them: single marks unless they are too dense, and always the
/// spans of equal spacing.
struct RulerMarks {
  struct Span {
    double from = 0;
    double to = 0;
    double spacing = 0;      ///< distance of neighbours: the ulp of the binade
    bool subnormal = false;  ///< the span lies below the smallest normal number
  };
  std::vector<Number> numbers;  ///< in order; empty if there are more than `most`
  std::vector<Span> spans;      ///< binades, and the subnormals on both sides of 0, cut to the interval, in order
  double count = 0;             ///< finite numbers in the interval
};

/// Marks of `format` from `low` to `high` (finite, low < high), at most `most` single ones. Infinity has no mark; -0 is
/// not counted beside 0.
RulerMarks marks_between(double low, double high, const formats::Format& format, std::size_t most);

}  // namespace binade::numbers
