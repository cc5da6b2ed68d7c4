// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace binade::views {

class Series;

/// Summary of the samples of some consecutive steps. Minimum and maximum are those of the finite values.
struct SeriesBucket {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  double last = 0;  ///< may be NaN or infinite
  std::uint32_t count = 0;
  std::uint32_t nonFinite = 0;

  bool finite() const { return count > nonFinite; }
  void add(const SeriesBucket& later) {
    if (later.count == 0) return;
    min = later.min < min ? later.min : min;
    max = later.max > max ? later.max : max;
    last = later.last;
    count += later.count;
    nonFinite += later.nonFinite;
  }
};

/// The summaries of a series that a chart drew last, in buckets of equal width in steps. A frame of a live chart needs
/// the buckets of the frame before and a few new ones, so its cost does not depend on the number of samples.
class SeriesBuckets {
 public:
  /// Makes the buckets for the steps first <= step < end available. A bucket has 2^`log2Width` steps and begins at a
  /// multiple of that. `series` must be the same at each call; it may have grown.
  void cover(const Series& series, std::int64_t first, std::int64_t end, int log2Width);
  /// Merges the buckets that begin at first <= step < end, of those that cover() made available.
  SeriesBucket over(std::int64_t first, std::int64_t end) const {
    const std::int64_t mask = (std::int64_t{1} << log2_width_) - 1;
    const auto size = static_cast<std::int64_t>(buckets_.size());
    const std::int64_t from = std::max<std::int64_t>(((first + mask) >> log2_width_) - begin_, 0);
    const std::int64_t until = std::min(((end + mask) >> log2_width_) - begin_, size);
    SeriesBucket merged;
    for (std::int64_t i = from; i < until; ++i) merged.add(buckets_[static_cast<std::size_t>(i)]);
    return merged;
  }

  /// Buckets computed by the last cover(); tests check that it is small.
  std::size_t lastCost() const { return cost_; }

 private:
  void compute(const Series& series, std::int64_t from, std::int64_t until);

  std::vector<SeriesBucket> buckets_;
  int log2_width_ = -1;
  std::int64_t begin_ = 0;   ///< number of the first bucket: its step divided by the width
  std::int64_t known_ = -1;  ///< the series' last step at the last cover()
  std::size_t cost_ = 0;
};

}  // namespace binade::views
