// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <array>
#include <bit>
#include <cstdint>

namespace binade::formats {

/// The formats that every histogram has exact counts for, in the order of TensorStats::named.
inline constexpr std::array kNamedFormats{kTFloat32, kBFloat16, kFloat16, kFloat8E4M3fn, kFloat8E5M2};

/// Place of a format in kNamedFormats; -1 for another.
constexpr int named_index(const Format& format) {
  for (std::size_t i = 0; i < kNamedFormats.size(); ++i) {
    if (kNamedFormats[i] == format) return static_cast<int>(i);
  }
  return -1;
}

/// Where rounding a float32 magnitude to a format changes its kind, as float32 bits without sign: magnitudes order as
/// their bits do. A limit that no float32 reaches is 0 (underflow) or infinity's bits (overflow), which counts nothing.
struct Limits {
  std::uint32_t underflow = 0;           ///< a non-zero magnitude at or below becomes 0
  std::uint32_t normal = 0;              ///< one at or above is held as a normal number; below, and not 0, as subnormal
  std::uint32_t overflow = 0x7f800000u;  ///< a finite one at or above is beyond the format
  friend constexpr bool operator==(const Limits&, const Limits&) = default;
};

inline Limits limits_of(const Format& format) {
  const auto bits = [](double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); };
  // Half a spacing below the smallest normal number is a tie, and that number is the even one of the two.
  return {bits(format.underflow_limit()), bits(format.smallest_normal() - format.smallest_subnormal() / 2),
          bits(format.overflow_limit())};
}

}  // namespace binade::formats
