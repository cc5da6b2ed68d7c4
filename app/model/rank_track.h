// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/rank_totals.h"
#include "views/values/long_list.h"
#include "views/values/series.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace binade::app {

/// What the ranks of a run differ in, step by step. Without ranks for a run of one process.
class RankTrack {
 public:
  /// Up to this number of ranks, each has series of its own.
  static constexpr std::size_t kMostSeries = 16;
  /// Number of steps that recent() sums up, less with more than kMostSeries ranks.
  static constexpr std::size_t kRecent = 1000;

  /// The series of one rank.
  struct Line {
    views::Series busy;    ///< seconds of its own forward and backward
    views::Series tensor;  ///< tensor-core use in percent; only steps at which it was measured
  };

  RankTrack() = default;
  explicit RankTrack(std::size_t ranks) : ranks_(ranks) {}

  std::size_t ranks() const { return ranks_; }
  /// Number of steps.
  std::size_t size() const { return ranks_ == 0 ? 0 : points_.size() / ranks_; }
  /// Adds the next step of the run, also one without facts of ranks.
  void add(const wire::StepRecord& step);
  /// Removes `step` and later ones; `size` steps remain.
  void dropFrom(std::int64_t step, std::size_t size);

  /// The series of a rank; null beyond kMostSeries.
  const Line* line(int rank) const;
  /// Seconds that the slowest and the fastest rank of each step were busy.
  const views::Series& slowest() const { return slowest_; }
  const views::Series& fastest() const { return fastest_; }
  /// Mean tensor-core use of all ranks in percent, at the steps at which it was measured.
  const views::Series& tensor() const { return tensor_; }
  /// The facts of all ranks at a step, by its place among the steps; empty if there are none.
  std::vector<wire::RankFacts> at(std::size_t index) const;
  /// Sums over the last kRecent of the first `size` steps: the straggler of a long run may change.
  wire::RankTotals recent(std::size_t size) const;

 private:
  struct Point {
    double seconds = 0;
    double waited = 0;
    double tensor = 0;
    double step_seconds = 0;
    bool found_inf = false;
    bool known = false;  ///< false: the step has no facts of all ranks
  };

  std::size_t ranks_ = 0;
  views::LongList<Point> points_;        ///< of all ranks of each step in sequence
  std::array<Line, kMostSeries> lines_;  ///< in place, because charts draw from them
  views::Series slowest_;
  views::Series fastest_;
  views::Series tensor_;
};

}  // namespace binade::app
