// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaled/block_scale.h"
#include "engine/scaled/element_rounding.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace binade::scaled {

/// The rules of block_scale.h without branches, for loops that are to vectorise. `magnitude` is the float32 pattern of
/// a block's largest magnitude; NaN is larger than infinity.

/// Scales in E8M0.
struct E8m0Rule {
  std::uint32_t add;  ///< carries into the exponent where the rule rounds up
  std::int32_t emax;  ///< subtracted from the exponent
  float divisor;      ///< divides the magnitude first

  explicit E8m0Rule(const ScaledFormat& format) : add(0), emax(layout(format.element).emax), divisor(1) {
    const int mantissa_bits = layout(format.element).mantissa_bits;
    if (format.rule == ScaleRule::kCeil || format.rule == ScaleRule::kRceil) add = 0x7fffffu;
    if (format.rule == ScaleRule::kEven) add = 1u << (23 - mantissa_bits - 1);
    if (format.rule == ScaleRule::kRceil) {
      emax = 0;
      divisor = layout(format.element).largest;
    }
  }

  inline void apply(std::uint32_t magnitude, const Scale& /*tensor*/, BlockScale& scale) const {
    constexpr std::uint32_t kTiny = 0x00400000u;  // 2^-127
    const float quotient = std::bit_cast<float>(magnitude) / divisor;
    const auto bits = std::bit_cast<std::uint32_t>(quotient);
    std::int32_t code = static_cast<std::int32_t>((bits + add) >> 23) - emax;
    code = bits <= kTiny ? 0 : code;
    code = std::min(std::max(code, 0), 254);
    const auto field = static_cast<std::uint32_t>(code);
    const bool nan = magnitude > ElementRounding::kInfinity;
    const std::uint32_t restore = code == 0 ? kTiny : field << 23;
    const std::uint32_t multiply = code == 254 ? kTiny : (254u - field) << 23;
    const std::uint32_t mask = nan ? ElementRounding::kNan : 0u;
    scale.restore = std::bit_cast<float>(restore | mask);
    scale.multiply = std::bit_cast<float>(multiply | mask);
    scale.code = static_cast<std::uint8_t>(field | (nan ? 255u : 0u));
  }
};

/// Scales in E4M3 beside a float32 scale of the tensor.
struct E4m3Rule {
  ElementRounding rounding{Element::kE4M3};
  float divisor;

  explicit E4m3Rule(const ScaledFormat& format) : divisor(layout(format.element).largest) {}

  inline void apply(std::uint32_t magnitude, const Scale& tensor, BlockScale& scale) const {
    constexpr std::uint32_t kSmallest = 0x3c800000u;  // 2^-6, the smallest normal E4M3
    const float quotient = std::bit_cast<float>(magnitude) / divisor / tensor.restore;
    const float rounded = rounding.nearest(quotient);  // saturates at 448
    const std::uint32_t bounded = std::max(std::bit_cast<std::uint32_t>(rounded), kSmallest);
    const float block = std::bit_cast<float>(bounded);
    // Finite, so that 0 stays 0 in tensors so small that the quotient overflows. NaN passes, as the first argument.
    scale.multiply = std::min(tensor.multiply / block, std::numeric_limits<float>::max());
    scale.restore = tensor.restore * block;
    constexpr std::uint32_t kRebias = (127u - 7u) << 3;
    const bool nan = bounded > ElementRounding::kInfinity;
    scale.code = static_cast<std::uint8_t>(nan ? 0x7fu : (bounded >> 20) - kRebias);
  }
};

/// Scales in float32, as Transformer Engine computes them for FP8.
struct Float32Rule {
  float largest;
  std::uint32_t mask;  ///< of the bits kept

  explicit Float32Rule(const ScaledFormat& format)
      : largest(layout(format.element).largest),
        mask(format.scale == ScaleFormat::kPowerOfTwo ? 0xff800000u : 0xffffffffu) {}

  inline void apply(std::uint32_t magnitude, const Scale& /*tensor*/, BlockScale& scale) const {
    constexpr std::uint32_t kLargest32 = ElementRounding::kInfinity - 1;
    constexpr std::uint32_t kOne = 0x3f800000u;
    const float quotient = largest / std::bit_cast<float>(magnitude);
    const std::uint32_t bounded = std::min(std::bit_cast<std::uint32_t>(quotient), kLargest32) & mask;
    const bool ordinary = magnitude != 0 && magnitude < ElementRounding::kInfinity;
    const float multiply = std::bit_cast<float>(ordinary ? bounded : kOne);
    scale.multiply = multiply;
    scale.restore = 1 / multiply;
    scale.code = 0;
  }
};

}  // namespace binade::scaled
