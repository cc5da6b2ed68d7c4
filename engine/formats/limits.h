// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <array>
#include <bit>
#include <cstdint>

namespace binade::formats {

/// Formats with exact counts at Depth::kFormats, in the order of TensorStats::named.
inline constexpr std::array kNamedFormats{kTFloat32, kBFloat16, kFloat16, kFloat8E4M3fn, kFloat8E5M2};

/// Index of a format in kNamedFormats; -1 if it is not there.
constexpr int named_index(const Format& format) {
  for (std::size_t i = 0; i < kNamedFormats.size(); ++i) {
    if (kNamedFormats[i] == format) return static_cast<int>(i);
  }
  return -1;
}

/// Magnitudes at which rounding to a format changes its result's kind, as float32 bits without the sign (magnitudes
/// sort as their bits do). A limit that no float32 reaches is 0 (underflow) or the bits of infinity (overflow).
struct Limits {
  std::uint32_t underflow = 0;           ///< a non-zero magnitude at or below it becomes 0
  std::uint32_t normal = 0;              ///< from it on normal; below it, and above underflow, subnormal
  std::uint32_t overflow = 0x7f800000u;  ///< a finite magnitude at or above it overflows
  friend constexpr bool operator==(const Limits&, const Limits&) = default;
};

inline Limits limits_of(const Format& format) {
  const auto bits = [](double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); };
  // The tie half a spacing below the smallest normal number rounds up to it, because its mantissa is even.
  return {bits(format.underflow_limit()), bits(format.smallest_normal() - format.smallest_subnormal() / 2),
          bits(format.overflow_limit())};
}

}  // namespace binade::formats
