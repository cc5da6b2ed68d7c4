// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"

#include <array>
#include <cstdint>
#include <vector>

namespace binade::views {

/// One column of a heat map: a heat for every float32 binade. 0 means that nothing lies there.
struct HeatColumn {
  std::int64_t first = -1;  ///< first step in it that was observed
  std::int64_t last = -1;   ///< last one
  float scaleLog2 = 0;      ///< of the last one
  std::array<std::uint8_t, formats::kBinades> heat{};
  std::uint64_t count = 0;      ///< elements, of the last one
  std::uint64_t zero = 0;       ///< of the last one
  std::uint64_t nonFinite = 0;  ///< summed

  bool valid() const { return first >= 0; }
};

/// Columns by step: a ring of the latest ones, and coarser rings of columns merged by eights (the greatest heat stays,
/// so that a rare value keeps showing) for longer runs. Memory is bounded whatever the run's length.
class HeatColumns {
 public:
  static constexpr int kSlots = 2048;
  static constexpr int kFactor = 8;
  static constexpr int kLevels = 5;  ///< the coarsest ring covers 8 million steps

  /// Steps increase; false for one that does not.
  bool append(std::int64_t step, const formats::TensorStats& stats, double scaleLog2);
  void clear();
  bool empty() const { return last_ < 0; }
  std::int64_t firstStep() const { return first_; }
  std::int64_t lastStep() const { return last_; }

  /// Merges the observations with first <= step < end, from the finest ring that still has them; `valid()` is false
  /// where there is none. A coarser ring may take in neighbouring steps.
  HeatColumn query(std::int64_t first, std::int64_t end) const;
  /// The observation of exactly this step, while the finest ring has it.
  const HeatColumn* at(std::int64_t step) const;
  /// The exact counts of the same.
  const formats::TensorStats* statsAt(std::int64_t step) const;

  /// 1..255 for a share of `count` non-zero values: 255 from 1/2 up, falling evenly with its logarithm to 48, which can
  /// still be seen, for one value of them; of more than 2^20 values for a share of 2^-20.
  static std::uint8_t heatOf(double share, double count);

 private:
  struct Level {
    std::vector<HeatColumn> slots;
    std::vector<std::int64_t> bucket;
  };
  const HeatColumn* slot(int level, std::int64_t bucket) const;

  std::array<Level, kLevels> levels_;
  std::vector<formats::TensorStats> exact_;  ///< beside the finest ring
  std::int64_t first_ = -1;
  std::int64_t last_ = -1;
};

}  // namespace binade::views
