// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaled/element.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace binade::scaled {

/// Rounding to an element format without branches, for loops that are to vectorise. round() and round_stochastic() of
/// element.h are these functions. Magnitudes are float32 patterns without the sign. Alternatives are selected by masks:
/// GCC 12 makes branches of two conditional expressions on one value, and then does not vectorise.
struct ElementRounding {
  static constexpr std::uint32_t kMagnitude = 0x7fffffffu;
  static constexpr std::uint32_t kInfinity = 0x7f800000u;
  static constexpr std::uint32_t kQuiet = 0x00400000u;
  static constexpr std::uint32_t kNan = kInfinity | kQuiet;

  std::uint32_t drop;             ///< number of mantissa bits dropped
  std::uint32_t keep;             ///< mask of the bits kept
  std::uint32_t smallest_normal;  ///< magnitudes below it have the spacing of the subnormals
  std::uint32_t largest;

  explicit ElementRounding(Element element) {
    const ElementLayout& format = layout(element);
    drop = static_cast<std::uint32_t>(23 - format.mantissa_bits);
    keep = ~((1u << drop) - 1);
    smallest_normal = std::bit_cast<std::uint32_t>(format.smallest_normal());
    largest = std::bit_cast<std::uint32_t>(format.largest);
  }

  /// To nearest, ties to even. float32 has the element's spacing `drop` binades above the value, or above the smallest
  /// normal value, so adding a power of two there rounds. Where such a power is beyond float32, any sum is too large
  /// for the element.
  inline float nearest(float value) const {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = bits & kMagnitude;
    const std::uint32_t binade = std::max(magnitude & kInfinity, smallest_normal);
    const float above = std::bit_cast<float>(binade + (drop << 23));
    const auto sum = std::bit_cast<std::uint32_t>((std::bit_cast<float>(magnitude) + above) - above);
    const std::uint32_t rounded = std::min(sum, largest) | (magnitude > kInfinity ? kNan : 0u);
    return std::bit_cast<float>(rounded | (bits & ~kMagnitude));
  }

  /// Up or down by 32 uniform bits. Below the smallest normal value the spacing is that of the binade above it, so the
  /// value is moved there and back; this rounds away bits beyond 2^-23 of the smallest normal value.
  inline float stochastic(float value, std::uint32_t draw) const {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = bits & kMagnitude;
    const std::uint32_t bounded = std::min(magnitude, largest);
    const std::uint32_t below = bounded < smallest_normal ? ~0u : 0u;
    const float raise = std::bit_cast<float>(smallest_normal & below);
    const float raised = std::bit_cast<float>(bounded) + raise;
    const std::uint32_t up = (std::bit_cast<std::uint32_t>(raised) + (draw >> (32u - drop))) & keep;
    const float lowered = std::bit_cast<float>(up) - raise;
    const std::uint32_t rounded = std::bit_cast<std::uint32_t>(lowered) | (magnitude > kInfinity ? kNan : 0u);
    return std::bit_cast<float>(rounded | (bits & ~kMagnitude));
  }
};

}  // namespace binade::scaled
