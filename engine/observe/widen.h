// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/clones.h"
#include "engine/observe/measure_kernel.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace binade::observe {

inline constexpr std::uint32_t kMagnitude = 0x7fffffffu;
inline constexpr std::uint32_t kInfinity = 0x7f800000u;
inline constexpr std::uint32_t kSmallestNormal = 0x00800000u;

/// float16 bits to float32 bits, without branches so that it vectorises (round trip exact, NaN payloads kept).
inline std::uint32_t widen_half(std::uint32_t bits) {
  constexpr std::uint32_t kTiny = 113u << 23;  // 2^-14, float16's smallest normal number
  const std::uint32_t sign = (bits & 0x8000u) << 16;
  const std::uint32_t shifted = (bits & 0x7fffu) << 13;
  const std::uint32_t field = shifted & (0x1fu << 23);
  const std::uint32_t normal = shifted + (field == (0x1fu << 23) ? (255u - 31) << 23 : (127u - 15) << 23);
  // A subnormal half's mantissa, behind 2^-14's leading one: what is left without that is its value, exactly.
  const float tiny = std::bit_cast<float>(shifted + kTiny) - std::bit_cast<float>(kTiny);
  return sign | (field == 0 ? std::bit_cast<std::uint32_t>(tiny) : normal);
}

/// The value of a finite float32 magnitude, also on a thread that takes subnormal numbers for 0.
inline double value_of(std::uint32_t magnitude) {
  return magnitude < kSmallestNormal ? static_cast<double>(magnitude) * 0x1p-149
                                     : static_cast<double>(std::bit_cast<float>(magnitude));
}

/// `count` values from `start` on, as float32 bits, into `to`.
void widen(const void* values, Storage storage, std::size_t start, std::size_t count, std::uint32_t* to);

}  // namespace binade::observe
