// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/effect.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace binade::formats {

namespace {

struct Squares {
  double low = 0;
  double high = 0;
};

/// Counts and squares of one outcome, before they become a share of the whole.
struct Found {
  CountRange count;
  Squares squares;

  void add(std::uint64_t values, Squares of) {
    count.low += values;
    count.high += values;
    squares.low += of.low;
    squares.high += of.high;
  }
  void add_at_most(std::uint64_t values, Squares of) {
    count.high += values;
    squares.high += of.high;
  }
  /// Lower bounds above the upper ones would come from a run file whose extremes and binades disagree.
  void add_one_at_least(double value) {
    if (count.low > 0) return;
    count.low = 1;
    count.high = std::max(count.high, count.low);
    squares.low = value * value;
    squares.high = std::max(squares.high, squares.low);
  }
};

struct Fates {
  Found zero;
  Found subnormal;
  Found overflow;
};

Portion portion(const Found& found, double all) {
  const auto share = [&](double squares) { return all > 0 ? std::min(1.0, std::sqrt(squares / all)) : 0.0; };
  return {found.count, {share(found.squares.low), share(found.squares.high)}};
}

Fates from_named(const FormatCounts& counts) {
  Fates fates;
  fates.zero.add(counts.zero, {counts.zero_squares, counts.zero_squares});
  fates.subnormal.add(counts.subnormal, {counts.subnormal_squares, counts.subnormal_squares});
  fates.overflow.add(counts.overflow, {counts.overflow_squares, counts.overflow_squares});
  return fates;
}

Fates from_fine(const std::vector<FineCount>& fine, const FineLimits& limits) {
  Fates fates;
  for (const FineCount& row : fine) {
    const Squares squares{row.squares, row.squares};
    if (row.place < limits.not_zero) {
      fates.zero.add(row.count, squares);
    } else if (row.place < limits.normal) {
      fates.subnormal.add(row.count, squares);
    } else if (row.place >= limits.overflow) {
      fates.overflow.add(row.count, squares);
    }
  }
  return fates;
}

/// Bounds from whole binades. The extremes decide on which side of a limit the outermost binades' values are.
Fates from_binades(const TensorStats& stats, const Format& format, int shift) {
  const double underflow = std::ldexp(format.underflow_limit(), -shift);
  const double normal = std::ldexp(format.smallest_normal() - format.smallest_subnormal() / 2, -shift);
  const double overflow = std::ldexp(format.overflow_limit(), -shift);
  const auto largest = static_cast<double>(stats.largest);
  const auto smallest = static_cast<double>(stats.smallest);
  Fates fates;
  for (int i = 0; i < kBinades; ++i) {
    const std::uint64_t values = stats.binades[static_cast<std::size_t>(i)];
    if (values == 0) continue;
    const double from = std::ldexp(1.0, kFirstBinade + i);
    const double low = std::max(from, smallest);
    const double high = std::min(std::nextafter(2 * from, 0.0), largest);
    const auto number = static_cast<double>(values);
    const Squares squares{number * low * low, std::min(number * high * high, stats.sum_of_squares)};
    // Adds to each of the three outcomes what is certain and what is possible.
    if (high <= underflow) {
      fates.zero.add(values, squares);
    } else if (low <= underflow) {
      fates.zero.add_at_most(values, {0, std::min(number * underflow * underflow, squares.high)});
    }
    if (low > underflow && high < normal) {
      fates.subnormal.add(values, squares);
    } else if (high > underflow && low < normal) {
      fates.subnormal.add_at_most(values, squares);
    }
    if (low >= overflow) {
      fates.overflow.add(values, squares);
    } else if (high >= overflow) {
      fates.overflow.add_at_most(values, squares);
    }
  }
  // The extremes are at least one value each.
  if (largest >= overflow) fates.overflow.add_one_at_least(largest);
  if (smallest > 0 && smallest <= underflow) fates.zero.add_one_at_least(smallest);
  return fates;
}

/// Bounds from a scan, which has the largest magnitude only.
Fates from_scan(const TensorStats& stats, const Format& format, int shift) {
  const double largest = std::ldexp(static_cast<double>(stats.largest), shift);
  const std::uint64_t values = stats.occupied();
  const auto bound = [&](bool all_of_them, bool possible) {
    Found found;
    if (all_of_them) found.add(values, {1, 1});
    if (possible && !all_of_them) found.add_at_most(values, {0, 1});
    return found;
  };
  Fates fates;
  const double normal = format.smallest_normal() - format.smallest_subnormal() / 2;
  fates.zero = bound(largest <= format.underflow_limit(), true);
  fates.subnormal = bound(false, largest > format.underflow_limit());
  if (largest < normal && largest > format.underflow_limit()) fates.subnormal.count.low = values > 0 ? 1 : 0;
  fates.overflow = bound(false, largest >= format.overflow_limit());
  if (largest >= format.overflow_limit()) fates.overflow.count.low = 1;
  return fates;
}

}  // namespace

FormatEffect effect_of(const TensorStats& stats, const Format& format, int shift) {
  FormatEffect effect;
  effect.censored = stats.censored;
  if (stats.largest > 0) {
    effect.occupied = stats.occupied();
    const int named = shift == 0 && stats.named ? named_index(format) : -1;
    const auto fine = stats.fine.empty() ? std::nullopt : fine_limits(format, shift);
    Fates fates;
    if (stats.scan) {
      fates = from_scan(stats, format, shift);
    } else if (named >= 0) {
      fates = from_named((*stats.named)[static_cast<std::size_t>(named)]);
    } else if (fine) {
      fates = from_fine(stats.fine, *fine);
    } else {
      fates = from_binades(stats, format, shift);
    }
    const double all = stats.scan ? 1 : stats.sum_of_squares;
    effect.zero = portion(fates.zero, all);
    effect.subnormal = portion(fates.subnormal, all);
    effect.overflow = portion(fates.overflow, all);
  }
  if (stats.censored) {
    effect.zero.count.high += stats.zero;
    effect.overflow.count.high += stats.positive_infinity + stats.negative_infinity;
    if (stats.zero > 0 && effect.occupied == 0) effect.zero.norm.high = 1;
  }
  return effect;
}

}  // namespace binade::formats
