// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/values/long_list.h"
#include "views/values/series_buckets.h"
#include "views/values/series_record.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace binade::views {

/// Samples over steps with a pyramid: level k has one record per 16 * 4^k samples, so a query costs the same for any
/// length of run. NaN and infinity are kept and counted. Steps increase; evenly spaced steps take no memory. Older
/// samples and records are stored on disk (LongList), so memory is bounded. Movable. Not thread-safe.
class Series {
 public:
  /// Adds a sample. Returns false, without effect, unless `step` is greater than the last one.
  bool append(std::int64_t step, double value);
  /// Keeps the first `size` samples.
  void truncate(std::size_t size);
  void clear();

  std::size_t size() const { return samples_.size(); }
  bool empty() const { return samples_.empty(); }
  std::int64_t lastStep() const;
  double lastValue() const;
  /// Summary of all samples.
  const SeriesRecord& all() const { return all_; }

  std::int64_t stepAt(std::size_t index) const;
  double valueAt(std::size_t index) const;
  /// Index of the first sample at or after `step`; size() if there is none.
  std::size_t lowerBound(std::int64_t step) const;
  /// Index of the last sample at or before `step`, if any.
  std::optional<std::size_t> at(std::int64_t step) const;

  /// Summary of the samples with first <= step < end.
  SeriesRecord query(std::int64_t first, std::int64_t end) const;
  /// Summary of the samples with first <= index < end.
  SeriesRecord queryIndexes(std::size_t first, std::size_t end) const;

  /// What a chart drew of the series last. Used by one chart.
  SeriesBuckets& buckets() const { return buckets_; }

  /// Samples and records read by the last query; tests check that it is bounded.
  std::size_t lastQueryCost() const { return cost_; }

  /// Bytes of memory held.
  std::size_t bytes() const;

  static constexpr std::size_t kBase = 16;
  static constexpr std::size_t kFactor = 4;

 private:
  struct Run {  ///< samples from `index` on, whose steps are step, step + stride, ...
    std::size_t index;
    std::int64_t step;
    std::int64_t stride;
  };
  const Run& runOfIndex(std::size_t index) const;
  void climb();

  LongList<double> samples_;
  std::vector<LongList<SeriesRecord>> levels_;
  std::vector<Run> runs_;
  std::int64_t last_step_ = 0;
  SeriesRecord all_;
  SeriesRecord newest_;  ///< of the samples that have no record yet
  mutable SeriesBuckets buckets_;
  mutable std::size_t cost_ = 0;
};

}  // namespace binade::views
