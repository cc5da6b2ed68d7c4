// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/tensor_stats.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace binade::formats {

double headroom(const TensorStats& stats, const Format& format) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const bool infinities = stats.positive_infinity + stats.negative_infinity > 0;
  if (infinities && (stats.censored || stats.largest == 0)) return -kInfinite;
  if (stats.largest == 0) return kInfinite;
  // The ratio uses the last double below the limit, so that the limit itself gives a negative result.
  return std::log2(std::nextafter(format.overflow_limit(), 0.0) / static_cast<double>(stats.largest));
}

namespace {

constexpr std::uint32_t kInfinityBits = 0x7f800000u;
constexpr std::uint64_t kMostStored = std::numeric_limits<std::uint32_t>::max();

std::uint32_t clamped(std::uint64_t count) {
  return static_cast<std::uint32_t>(count < kMostStored ? count : kMostStored);
}

void count_one(std::uint32_t magnitude, double square, const Limits& limits, FormatCounts& counts) {
  if (magnitude <= limits.underflow) {
    ++counts.zero;
    counts.zero_squares += square;
  } else if (magnitude < limits.normal) {
    ++counts.subnormal;
    counts.subnormal_squares += square;
  } else if (magnitude >= limits.overflow) {
    ++counts.overflow;
    counts.overflow_squares += square;
  }
}

void add_fine(std::vector<FineCount>& fine, const std::vector<FineCount>& other) {
  std::map<FinePlace, FineCount> all;
  for (const auto* rows : {&std::as_const(fine), &other}) {
    for (const FineCount& row : *rows) {
      FineCount& sum = all[row.place];
      sum.place = row.place;
      sum.count += row.count;
      sum.squares += row.squares;
    }
  }
  fine.clear();
  for (const auto& [place, row] : all) fine.push_back(row);
}

}  // namespace

void FormatCounts::add(const FormatCounts& other) {
  zero += other.zero;
  subnormal += other.subnormal;
  overflow += other.overflow;
  zero_squares += other.zero_squares;
  subnormal_squares += other.subnormal_squares;
  overflow_squares += other.overflow_squares;
}

TensorStats measure(std::span<const float> values, const Format& watched, Depth depth) {
  const Limits own = limits_of(watched);
  std::array<Limits, kNamedFormats.size()> named;
  for (std::size_t i = 0; i < named.size(); ++i) named[i] = limits_of(kNamedFormats[i]);

  TensorStats stats;
  stats.count = values.size();
  if (depth != Depth::kHistogram) stats.named.emplace();
  std::array<std::uint64_t, kBinades> binades{};
  std::map<FinePlace, FineCount> fine;
  std::uint32_t largest = 0;
  std::uint32_t smallest = kInfinityBits;
  for (const float value : values) {
    const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(value) & 0x7fffffffu;
    if (magnitude == 0) {
      ++stats.zero;
    } else if (magnitude > kInfinityBits) {
      ++stats.nan;
    } else if (magnitude == kInfinityBits) {
      ++(std::signbit(value) ? stats.negative_infinity : stats.positive_infinity);
    } else {
      const double square = static_cast<double>(value) * static_cast<double>(value);
      if (magnitude >= own.overflow) ++stats.overflow;
      if (magnitude <= own.underflow) ++stats.underflow;
      if (magnitude > largest) largest = magnitude;
      if (magnitude < smallest) smallest = magnitude;
      stats.sum_of_squares += square;
      ++binades[static_cast<std::size_t>(binade(value) - kFirstBinade)];
      if (depth == Depth::kHistogram) continue;
      for (std::size_t i = 0; i < named.size(); ++i) count_one(magnitude, square, named[i], (*stats.named)[i]);
      if (depth == Depth::kFormats) continue;
      FineCount& row = fine[fine_place(magnitude)];
      row.place = fine_place(magnitude);
      ++row.count;
      row.squares += square;
    }
  }
  if (largest != 0) {
    stats.largest = std::bit_cast<float>(largest);
    stats.smallest = std::bit_cast<float>(smallest);
  }
  for (std::size_t i = 0; i < binades.size(); ++i) stats.binades[i] = clamped(binades[i]);
  for (const auto& [place, row] : fine) stats.fine.push_back(row);
  return stats;
}

void add(TensorStats& stats, const TensorStats& other) {
  stats.scan = stats.scan || other.scan;
  stats.censored = stats.censored || other.censored;
  if (other.count == 0) return;
  if (stats.count == 0) {
    const bool scan = stats.scan;
    const bool censored = stats.censored;
    stats = other;
    stats.scan = scan;
    stats.censored = censored;
    return;
  }
  // A detail is kept only if both measured it; a tensor without finite non-zero values has no steps to measure.
  if (stats.named && other.named) {
    for (std::size_t i = 0; i < stats.named->size(); ++i) {
      (*stats.named)[i].add((*other.named)[i]);
    }
  } else {
    stats.named.reset();
  }
  const bool fine_known =
      (!stats.fine.empty() || stats.occupied() == 0) && (!other.fine.empty() || other.occupied() == 0);
  add_fine(stats.fine, other.fine);
  if (!fine_known) stats.fine.clear();

  stats.count += other.count;
  stats.zero += other.zero;
  stats.positive_infinity += other.positive_infinity;
  stats.negative_infinity += other.negative_infinity;
  stats.nan += other.nan;
  stats.overflow += other.overflow;
  stats.underflow += other.underflow;
  stats.largest = std::max(stats.largest, other.largest);
  if (other.smallest > 0)
    stats.smallest = stats.smallest == 0 ? other.smallest : std::min(stats.smallest, other.smallest);
  stats.sum_of_squares += other.sum_of_squares;
  for (std::size_t i = 0; i < stats.binades.size(); ++i) {
    stats.binades[i] = clamped(std::uint64_t{stats.binades[i]} + other.binades[i]);
  }
}

}  // namespace binade::formats
