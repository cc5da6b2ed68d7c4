// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/values/series_record.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace binade::views {

class Series;

/// The summaries of a series that a chart drew last, in buckets of equal width in steps. A frame of a live chart needs
/// the buckets of the frame before and a few new ones, so its cost does not depend on the number of samples.
class SeriesBuckets {
 public:
  /// Makes the buckets for the steps first <= step < end available. A bucket has 2^`log2Width` steps. The first one
  /// begins at the series' first step: where steps are evenly spaced, buckets then coincide with records of the series.
  /// `series` must be the same at each call; it may have grown.
  void cover(const Series& series, std::int64_t first, std::int64_t end, int log2Width);
  /// Merges the buckets that begin at first <= step < end, of those that cover() made available.
  SeriesRecord over(std::int64_t first, std::int64_t end) const {
    const std::int64_t mask = (std::int64_t{1} << log2_width_) - 1;
    const auto size = static_cast<std::int64_t>(buckets_.size());
    const std::int64_t from = std::max<std::int64_t>(((first - origin_ + mask) >> log2_width_) - begin_, 0);
    const std::int64_t until = std::min(((end - origin_ + mask) >> log2_width_) - begin_, size);
    SeriesRecord merged;
    for (std::int64_t i = from; i < until; ++i) merged.add(buckets_[static_cast<std::size_t>(i)]);
    return merged;
  }

  /// From 0 to below 1: at which zoom, between two doublings, a chart takes buckets of half the width. Series of one
  /// chart have different ones, so that no frame of a zoom computes the buckets of all. Default: 0.
  void setPhase(double phase) { phase_ = phase; }
  double phase() const { return phase_; }

  /// Buckets computed by the last cover(), and samples and records read for them; tests check that they are few.
  std::size_t lastCost() const { return cost_; }
  std::size_t lastReads() const { return reads_; }

 private:
  void compute(const Series& series, std::int64_t from, std::int64_t until);
  /// Merges the present buckets into wider ones, of which those that they fill are kept.
  void coarsen(int log2Width);

  std::vector<SeriesRecord> buckets_;
  int log2_width_ = -1;
  double phase_ = 0;
  std::int64_t origin_ = 0;  ///< the series' first step
  std::int64_t begin_ = 0;   ///< number of the first bucket: its distance from the origin divided by the width
  std::int64_t known_ = -1;  ///< the series' last step at the last cover(), from the origin
  std::size_t cost_ = 0;
  std::size_t reads_ = 0;
};

}  // namespace binade::views
