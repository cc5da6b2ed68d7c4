// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"

#include <array>
#include <cstdint>
#include <vector>

namespace binade::views {

/// One column of a heat map: a heat value per float32 binade. 0: the binade is empty.
struct HeatColumn {
  std::int64_t first = -1;  ///< first observed step in it
  std::int64_t last = -1;   ///< last observed step in it
  float scaleLog2 = 0;      ///< of the last step
  std::array<std::uint8_t, formats::kBinades> heat{};
  std::uint64_t count = 0;      ///< elements, in the last step
  std::uint64_t zero = 0;       ///< of the last step
  std::uint64_t nonFinite = 0;  ///< summed

  bool valid() const { return first >= 0; }
};

/// Columns by step: a ring of the latest ones, and coarser rings of columns merged by eights for longer runs. Merging
/// keeps the greatest heat, so that rare values stay visible. Memory is bounded for any length of run.
class HeatColumns {
 public:
  static constexpr int kSlots = 2048;
  static constexpr int kFactor = 8;
  static constexpr int kLevels = 5;  ///< the coarsest ring covers 8 million steps

  /// Adds a column. Returns false, without effect, unless `step` is greater than the last one.
  bool append(std::int64_t step, const formats::TensorStats& stats, double scaleLog2);
  void clear();
  bool empty() const { return last_ < 0; }
  std::int64_t firstStep() const { return first_; }
  std::int64_t lastStep() const { return last_; }

  /// Merges the observations with first <= step < end, from the finest ring that still holds them. Not `valid()` if
  /// there are none. A coarser ring may include neighbouring steps.
  HeatColumn query(std::int64_t first, std::int64_t end) const;
  /// Returns the observation of exactly this step, or null if the finest ring no longer holds it.
  const HeatColumn* at(std::int64_t step) const;
  /// Returns its exact statistics, or null.
  const formats::TensorStats* statsAt(std::int64_t step) const;

  /// Returns the heat, 1 to 255, of a share of `count` non-zero values. 255 for shares of 1/2 and more, decreasing
  /// linearly with the logarithm to 48, which is still visible, for a single value; with more than 2^20 values, for a
  /// share of 2^-20.
  static std::uint8_t heatOf(double share, double count);

 private:
  struct Level {
    std::vector<HeatColumn> slots;
    std::vector<std::int64_t> bucket;
  };
  const HeatColumn* slot(int level, std::int64_t bucket) const;

  std::array<Level, kLevels> levels_;
  std::vector<formats::TensorStats> exact_;  ///< parallel to the finest ring
  std::int64_t first_ = -1;
  std::int64_t last_ = -1;
};

}  // namespace binade::views
