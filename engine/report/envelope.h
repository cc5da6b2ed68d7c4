// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace binade::report {

/// A series of one value a step, thinned as it arrives: equal columns of steps with the extremes of their values. The
/// memory is constant. Every value lies within its column's extremes, and non-finite ones are counted.
class Envelope {
 public:
  struct Column {
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -std::numeric_limits<double>::infinity();
    double sum = 0;
    std::int64_t finite = 0;
    std::int64_t not_finite = 0;

    bool has_values() const { return finite > 0; }
    double mean() const { return sum / static_cast<double>(finite); }
  };

  /// A column has one step until there would be more than `most` columns; then it has 2, 4, 8, ...
  explicit Envelope(std::size_t most = 960) : most_(most) {}
  /// Has at most `most` columns, of which the first begins at step `first` and the last contains step `last`.
  static Envelope spanning(std::int64_t first, std::int64_t last, std::size_t most);

  /// Adds the value of a step. Steps ascend, except after cut().
  void add(std::int64_t step, double value);
  /// Removes the steps from `step` on, because the run went back to there. The column that contains `step` keeps its
  /// extremes if it has several steps and begins before it.
  void cut(std::int64_t step);

  bool empty() const { return columns_.empty(); }
  /// The first step of the first column.
  std::int64_t first() const { return first_; }
  /// Number of steps in a column.
  std::int64_t width() const { return width_; }
  const std::vector<Column>& columns() const { return columns_; }

 private:
  void halve();

  std::size_t most_;
  std::int64_t first_ = 0;
  std::int64_t width_ = 1;
  bool fixed_ = false;  ///< `first_` is given
  std::vector<Column> columns_;
};

}  // namespace binade::report
