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

/// Converts float16 bits to float32 bits, without branches so that it vectorises. Exact; NaN payloads are kept.
inline std::uint32_t half_bits_to_float(std::uint32_t bits) {
  constexpr std::uint32_t kTiny = 113u << 23;  // 2^-14, float16's smallest normal number
  const std::uint32_t sign = (bits & 0x8000u) << 16;
  const std::uint32_t shifted = (bits & 0x7fffu) << 13;
  const std::uint32_t field = shifted & (0x1fu << 23);
  const std::uint32_t normal = shifted + (field == (0x1fu << 23) ? (255u - 31) << 23 : (127u - 15) << 23);
  // Puts a subnormal's mantissa behind the leading one of 2^-14; subtracting 2^-14 leaves its exact value.
  const float tiny = std::bit_cast<float>(shifted + kTiny) - std::bit_cast<float>(kTiny);
  return sign | (field == 0 ? std::bit_cast<std::uint32_t>(tiny) : normal);
}

/// Returns the value of a finite float32 magnitude, exact even on a thread that flushes subnormals to 0.
inline double value_of(std::uint32_t magnitude) {
  return magnitude < kSmallestNormal ? static_cast<double>(magnitude) * 0x1p-149
                                     : static_cast<double>(std::bit_cast<float>(magnitude));
}

/// Writes `count` values from `start` on to `to`, as float32 bits.
void half_to_float(const void* values, Storage storage, std::size_t start, std::size_t count, std::uint32_t* to);

}  // namespace binade::observe
