// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/tensor_stats.h"

#include <bit>
#include <cmath>
#include <limits>

namespace binade::formats {

double headroom(const TensorStats& stats, const Format& format) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const bool infinities = stats.positive_infinity + stats.negative_infinity > 0;
  if (infinities && (stats.censored || stats.largest == 0)) return -kInfinite;
  if (stats.largest == 0) return kInfinite;
  // Against the last double below the limit, so that the limit itself is already below 0.
  return std::log2(std::nextafter(format.overflow_limit(), 0.0) / static_cast<double>(stats.largest));
}

TensorStats measure(std::span<const float> values, const Format& watched) {
  constexpr std::uint32_t kInfinityBits = 0x7f800000u;
  // Magnitudes order as their bits do. A limit that no float32 reaches becomes infinity or 0, which counts nothing.
  const auto overflow = std::bit_cast<std::uint32_t>(static_cast<float>(watched.overflow_limit()));
  const auto underflow = std::bit_cast<std::uint32_t>(static_cast<float>(watched.underflow_limit()));

  TensorStats stats;
  stats.count = values.size();
  std::array<std::uint64_t, kBinades> binades{};
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
      if (magnitude >= overflow) ++stats.overflow;
      if (magnitude <= underflow) ++stats.underflow;
      if (magnitude > largest) largest = magnitude;
      if (magnitude < smallest) smallest = magnitude;
      stats.sum_of_squares += static_cast<double>(value) * static_cast<double>(value);
      ++binades[static_cast<std::size_t>(binade(value) - kFirstBinade)];
    }
  }
  if (largest != 0) {
    stats.largest = std::bit_cast<float>(largest);
    stats.smallest = std::bit_cast<float>(smallest);
  }
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t i = 0; i < binades.size(); ++i) {
    stats.binades[i] = static_cast<std::uint32_t>(binades[i] < kMost ? binades[i] : kMost);
  }
  return stats;
}

}  // namespace binade::formats
