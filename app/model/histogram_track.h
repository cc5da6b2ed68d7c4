// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace binade::app {

/// The exponent histograms of one watched tensor over a whole run, in bounded memory. Every observation becomes a
/// column. At `limit` columns, neighbours are merged in pairs (counts are added, the largest magnitude is kept), and
/// from then on a column holds twice as many observations. The newest observation is also kept unmerged. A value type;
/// not thread-safe.
class HistogramTrack {
 public:
  static constexpr int kDefaultLimit = 2048;
  /// For tensors that are shown only on request; at most as wide as the window.
  static constexpr int kShortLimit = 512;

  /// One stored column. `binades` are counts from `first_binade` on, valid until the next append().
  struct Column {
    std::int64_t first_step = 0;
    std::int64_t last_step = 0;
    double scale = 1;  ///< loss scale of its newest step
    std::uint64_t count = 0;
    std::uint64_t zero = 0;
    std::uint64_t non_finite = 0;
    std::uint64_t overflow = 0;
    std::uint64_t underflow = 0;
    float largest = 0;
    float smallest = 0;  ///< smallest non-zero magnitude; 0: none
    double sum_of_squares = 0;
    double lost = std::numeric_limits<double>::quiet_NaN();  ///< see append(); the greatest of the merged ones
    bool censored = false;
    int first_binade = 0;
    std::span<const std::uint32_t> binades;
  };

  explicit HistogramTrack(int limit = kDefaultLimit);

  /// Adds an observation; steps must not decrease. `lost`: the share of the norm that becomes 0 in the tensor's format
  /// if known exactly, else NaN. Returns true if older columns were merged, so that the display must be redrawn.
  bool append(std::int64_t step, double scale, const formats::TensorStats& stats,
              double lost = std::numeric_limits<double>::quiet_NaN());

  /// Removes `step` and later ones; a column that includes `step` is removed whole.
  void dropFrom(std::int64_t step);

  int size() const { return static_cast<int>(columns_.size()); }
  bool empty() const { return columns_.empty(); }
  Column column(int index) const;
  /// Returns the column that contains `step`, or the last one before it; -1 if there is none.
  int indexOf(std::int64_t step) const;
  /// Returns a column as statistics. Exact for the newest observation, and for a column of one step except that
  /// infinities are counted as NaN.
  formats::TensorStats statsOf(int index) const;
  /// The newest observation, unmerged.
  const formats::TensorStats& latest() const { return latest_; }
  std::int64_t latestStep() const { return latest_step_; }
  double latestScale() const { return latest_scale_; }
  /// Observations in a full column: 1, 2, 4, ...
  int observationsPerColumn() const { return per_column_; }
  /// Bytes held, for the memory test and the status line.
  std::size_t bytes() const;

 private:
  struct Kept {
    Column head;  // its span is empty; the counts are in pool_
    std::size_t offset = 0;
    int length = 0;
    int observations = 1;
  };

  void push(const Kept& kept, std::span<const std::uint32_t> counts);
  void mergeIntoLast(const Kept& next, std::span<const std::uint32_t> counts);
  void mergePairs();

  int limit_;
  int per_column_ = 1;
  std::vector<Kept> columns_;
  std::vector<std::uint32_t> pool_;
  formats::TensorStats latest_;
  std::int64_t latest_step_ = -1;
  double latest_scale_ = 1;
};

}  // namespace binade::app
