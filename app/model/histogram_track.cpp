// SPDX-License-Identifier: Apache-2.0
#include "app/model/histogram_track.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace binade::app {

namespace {

// Merged counts of a long run may exceed 2^32; saturation changes the picture little.
std::uint32_t addSaturated(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t sum = std::uint64_t{a} + b;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

HistogramTrack::HistogramTrack(int limit) : limit_(std::max(2, limit)) {}

bool HistogramTrack::append(std::int64_t step, double scale, const formats::TensorStats& stats, double lost) {
  latest_ = stats;
  latest_step_ = step;
  latest_scale_ = scale;

  const auto occupied = [](std::uint32_t count) { return count != 0; };
  const auto first = std::find_if(stats.binades.begin(), stats.binades.end(), occupied);
  const auto last = std::find_if(stats.binades.rbegin(), stats.binades.rend(), occupied).base();
  const std::span<const std::uint32_t> counts =
      first < last ? std::span<const std::uint32_t>(first, last) : std::span<const std::uint32_t>();

  Kept next;
  next.head.first_step = step;
  next.head.last_step = step;
  next.head.scale = scale;
  next.head.count = stats.count;
  next.head.zero = stats.zero;
  next.head.non_finite = stats.non_finite();
  next.head.overflow = stats.overflow;
  next.head.underflow = stats.underflow;
  next.head.largest = stats.largest;
  next.head.smallest = stats.smallest;
  next.head.sum_of_squares = stats.sum_of_squares;
  next.head.lost = lost;
  next.head.censored = stats.censored;
  next.head.first_binade = formats::kFirstBinade + static_cast<int>(first - stats.binades.begin());

  if (!columns_.empty() && columns_.back().observations < per_column_) {
    mergeIntoLast(next, counts);
    return false;
  }
  const bool full = size() >= limit_;
  if (full) mergePairs();
  push(next, counts);
  return full;
}

void HistogramTrack::dropFrom(std::int64_t step) {
  while (!columns_.empty() && columns_.back().head.last_step >= step) {
    pool_.resize(columns_.back().offset);
    columns_.pop_back();
  }
  if (latest_step_ < step) return;
  latest_step_ = -1;  // makes statsOf() read the column instead of the dropped observation
  latest_ = columns_.empty() ? formats::TensorStats() : statsOf(size() - 1);
  if (columns_.empty()) return;
  latest_step_ = columns_.back().head.last_step;
  latest_scale_ = columns_.back().head.scale;
}

void HistogramTrack::push(const Kept& kept, std::span<const std::uint32_t> counts) {
  columns_.push_back(kept);
  columns_.back().offset = pool_.size();
  columns_.back().length = static_cast<int>(counts.size());
  pool_.insert(pool_.end(), counts.begin(), counts.end());
}

void HistogramTrack::mergeIntoLast(const Kept& next, std::span<const std::uint32_t> counts) {
  Kept& last = columns_.back();
  const Column& a = last.head;
  const Column& b = next.head;
  std::vector<std::uint32_t> sum;
  int first_binade = a.first_binade;
  if (last.length == 0) {
    sum.assign(counts.begin(), counts.end());
    first_binade = b.first_binade;
  } else if (counts.empty()) {
    sum.assign(pool_.begin() + static_cast<std::ptrdiff_t>(last.offset), pool_.end());
  } else {
    first_binade = std::min(a.first_binade, b.first_binade);
    const int end = std::max(a.first_binade + last.length, b.first_binade + static_cast<int>(counts.size()));
    sum.assign(static_cast<std::size_t>(end - first_binade), 0);
    for (int i = 0; i < last.length; ++i)
      sum[static_cast<std::size_t>(a.first_binade - first_binade + i)] =
          pool_[last.offset + static_cast<std::size_t>(i)];
    for (std::size_t i = 0; i < counts.size(); ++i) {
      std::uint32_t& slot = sum[static_cast<std::size_t>(b.first_binade - first_binade) + i];
      slot = addSaturated(slot, counts[i]);
    }
  }
  pool_.resize(last.offset);
  pool_.insert(pool_.end(), sum.begin(), sum.end());
  last.length = static_cast<int>(sum.size());
  last.observations += next.observations;
  last.head.first_binade = first_binade;
  last.head.last_step = b.last_step;
  last.head.scale = b.scale;
  last.head.count += b.count;
  last.head.zero += b.zero;
  last.head.non_finite += b.non_finite;
  last.head.overflow += b.overflow;
  last.head.underflow += b.underflow;
  if (b.smallest > 0) last.head.smallest = a.smallest > 0 ? std::min(a.smallest, b.smallest) : b.smallest;
  last.head.largest = std::max(a.largest, b.largest);
  last.head.sum_of_squares += b.sum_of_squares;
  last.head.lost = std::fmax(a.lost, b.lost);
  last.head.censored = a.censored || b.censored;
}

void HistogramTrack::mergePairs() {
  const std::vector<Kept> old = std::move(columns_);
  const std::vector<std::uint32_t> pool = std::move(pool_);
  columns_.clear();
  pool_.clear();
  columns_.reserve(old.size());
  per_column_ *= 2;
  for (const Kept& kept : old) {
    const std::span<const std::uint32_t> counts(pool.data() + kept.offset, static_cast<std::size_t>(kept.length));
    if (columns_.empty() || columns_.back().observations >= per_column_) {
      push(kept, counts);
    } else {
      mergeIntoLast(kept, counts);
    }
  }
}

HistogramTrack::Column HistogramTrack::column(int index) const {
  const Kept& kept = columns_[static_cast<std::size_t>(index)];
  Column column = kept.head;
  column.binades = {pool_.data() + kept.offset, static_cast<std::size_t>(kept.length)};
  return column;
}

int HistogramTrack::indexOf(std::int64_t step) const {
  const auto after = std::upper_bound(columns_.begin(), columns_.end(), step,
                                      [](std::int64_t s, const Kept& kept) { return s < kept.head.first_step; });
  return static_cast<int>(after - columns_.begin()) - 1;
}

formats::TensorStats HistogramTrack::statsOf(int index) const {
  const Column kept = column(index);
  if (kept.first_step == latest_step_) return latest_;
  formats::TensorStats stats;
  stats.count = kept.count;
  stats.zero = kept.zero;
  stats.nan = kept.non_finite;
  stats.overflow = kept.overflow;
  stats.underflow = kept.underflow;
  stats.largest = kept.largest;
  stats.smallest = kept.smallest;
  stats.sum_of_squares = kept.sum_of_squares;
  stats.censored = kept.censored;
  std::copy(kept.binades.begin(), kept.binades.end(),
            stats.binades.begin() + (kept.first_binade - formats::kFirstBinade));
  return stats;
}

std::size_t HistogramTrack::bytes() const {
  return columns_.capacity() * sizeof(Kept) + pool_.capacity() * sizeof(std::uint32_t);
}

}  // namespace binade::app
