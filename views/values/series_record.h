// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace binade::views {

/// Summary of consecutive samples, at most 2^32 - 1. Minimum and maximum are those of the finite values.
struct SeriesRecord {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  double last = 0;  ///< may be NaN or infinite
  std::uint32_t count = 0;
  std::uint32_t nonFinite = 0;

  bool finite() const { return count > nonFinite; }
  void add(double value) {
    last = value;
    ++count;
    if (std::isfinite(value)) {
      min = value < min ? value : min;
      max = value > max ? value : max;
    } else {
      ++nonFinite;
    }
  }
  void add(const SeriesRecord& later) {
    if (later.count == 0) return;
    min = later.min < min ? later.min : min;
    max = later.max > max ? later.max : max;
    last = later.last;
    count += later.count;
    nonFinite += later.nonFinite;
  }
  friend bool operator==(const SeriesRecord&, const SeriesRecord&) = default;
};

}  // namespace binade::views
