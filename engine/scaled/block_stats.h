// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaled/scaled_format.h"

#include <array>
#include <cstdint>

namespace binade::scaled {

/// Effect of quantization on one tensor. Counts are exact, and so is their sum for parts of a tensor; the three sums of
/// squares are added in double precision. A plain value.
struct BlockStats {
  static constexpr int kFirstBinade = -149;  ///< scales are positive float32 values
  static constexpr int kBinades = 277;
  /// A block is ruled by an outlier if its largest magnitude is this many times its second largest.
  static constexpr float kOutlierRatio = 8;

  std::uint64_t values = 0;      ///< elements of the tensor, without padding
  std::uint64_t non_finite = 0;  ///< infinities and NaN before quantization
  std::uint64_t non_zero = 0;    ///< finite values that are not 0
  std::uint64_t to_zero = 0;     ///< of these: became 0
  std::uint64_t saturated = 0;   ///< of these: half a step or more beyond the largest element after scaling
  std::uint64_t blocks = 0;
  std::uint64_t zero_blocks = 0;     ///< all values are 0
  std::uint64_t dead_blocks = 0;     ///< some values are not 0, all became 0
  std::uint64_t outlier_blocks = 0;  ///< ruled by one outlier: the others differ from 0 and are small beside it
  /// Blocks by binade of the restoring scale, without zero blocks and scales that are 0 or NaN in float32.
  std::array<std::uint32_t, kBinades> scales{};
  float largest = 0;  ///< largest finite magnitude
  double signal = 0;  ///< sum of squares of the finite values
  double noise = 0;   ///< sum of squares of the differences that quantization made on them
  double error = 0;   ///< sum of the differences, with sign: biased rounding shows here

  /// Adds the statistics of another part of the tensor.
  void add(const BlockStats& other);
  /// Signal to quantization noise in dB: infinity without noise, NaN for a tensor of zeros.
  double snr_db() const;
  friend bool operator==(const BlockStats&, const BlockStats&) = default;
};

/// How stale a tensor's scale is: log2 of the largest magnitude divided by the largest magnitude that the scale
/// represents. Positive: that many doublings saturate. Negative: that many doublings are unused. NaN for zeros.
double stale_doublings(const BlockStats& stats, Element element, float multiply);

}  // namespace binade::scaled
