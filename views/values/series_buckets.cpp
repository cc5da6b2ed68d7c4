// SPDX-License-Identifier: Apache-2.0
#include "views/values/series_buckets.h"

#include "views/values/series.h"

#include <algorithm>

namespace binade::views {

namespace {

/// Buckets that no longer show are dropped once there are more of them: moving the others has a cost, too.
constexpr std::int64_t kMostUnused = 2048;

}  // namespace

void SeriesBuckets::compute(const Series& series, std::int64_t from, std::int64_t until) {
  if (from >= until) return;
  const auto indexOf = [&](std::int64_t bucket) { return series.lowerBound(origin_ + (bucket << log2_width_)); };
  std::size_t first = indexOf(from);
  for (std::int64_t bucket = from; bucket < until; ++bucket) {
    const std::size_t end = indexOf(bucket + 1);
    buckets_[static_cast<std::size_t>(bucket - begin_)] = series.queryIndexes(first, end);
    first = end;
    ++cost_;
    reads_ += series.lastQueryCost();
  }
}

void SeriesBuckets::coarsen(int log2Width) {
  const int by = log2Width - log2_width_;
  const std::int64_t of = std::int64_t{1} << by;
  const std::int64_t first = (begin_ + of - 1) >> by;
  const std::int64_t end = (begin_ + static_cast<std::int64_t>(buckets_.size())) >> by;
  for (std::int64_t bucket = first; bucket < end; ++bucket) {
    SeriesRecord merged;
    for (std::int64_t i = bucket * of; i < (bucket + 1) * of; ++i) {
      merged.add(buckets_[static_cast<std::size_t>(i - begin_)]);
    }
    buckets_[static_cast<std::size_t>(bucket - first)] = merged;
  }
  buckets_.resize(static_cast<std::size_t>(std::max<std::int64_t>(end - first, 0)));
  begin_ = first;
  log2_width_ = log2Width;
}

void SeriesBuckets::cover(const Series& series, std::int64_t first, std::int64_t end, int log2Width) {
  cost_ = 0;
  reads_ = 0;
  if (series.empty()) {
    *this = {};
    log2_width_ = log2Width;
    return;
  }
  origin_ = series.stepAt(0);
  const std::int64_t last = series.lastStep() - origin_;
  const std::int64_t from = (first - origin_) >> log2Width;
  const std::int64_t until = ((end - 1 - origin_) >> log2Width) + 1;
  const auto count = [this] { return static_cast<std::int64_t>(buckets_.size()); };
  if (log2Width > log2_width_ && !buckets_.empty()) coarsen(log2Width);
  if (log2Width != log2_width_ || until < begin_ || from > begin_ + count()) {
    buckets_.clear();
    log2_width_ = log2Width;
    begin_ = from;
  }
  if (from < begin_) {
    const std::int64_t old = begin_;
    buckets_.insert(buckets_.begin(), static_cast<std::size_t>(old - from), SeriesRecord());
    begin_ = from;
    compute(series, from, old);
  }
  if (from > begin_ + kMostUnused) {
    buckets_.erase(buckets_.begin(), buckets_.begin() + static_cast<std::ptrdiff_t>(from - begin_));
    begin_ = from;
  }
  if (begin_ + count() > until + kMostUnused) buckets_.resize(static_cast<std::size_t>(until - begin_));
  // What was beyond the series' end is computed again, also the bucket in which it ended.
  const std::int64_t fresh = std::max(begin_, (known_ + 1) >> log2_width_);
  const std::int64_t changed = std::min(begin_ + count(), last > known_ ? fresh : begin_ + count());
  if (until > begin_ + count()) buckets_.resize(static_cast<std::size_t>(until - begin_));
  // Beyond the newest sample there is nothing to read.
  const std::int64_t ending = std::min(begin_ + count(), (last >> log2_width_) + 1);
  compute(series, changed, ending);
  known_ = last;
}

}  // namespace binade::views
