// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace binade::formats {

/// Bits of the float16 nearest to `value`: ties to even, subnormals kept, infinity from 65520 on. Equal to
/// `encode(value, kFloat16)`, but faster. NaN keeps its sign and leading payload and becomes quiet.
constexpr std::uint16_t float16_bits(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) {  // NaN
    return static_cast<std::uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
  }
  if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);  // 65520
  if (magnitude >= 0x38800000u) {  // 2^-14: a normal float16, whose exponent field is smaller by 112
    const std::uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
    return static_cast<std::uint16_t>(sign | ((rounded - (112u << 23)) >> 13));
  }
  if (magnitude <= 0x33000000u) return static_cast<std::uint16_t>(sign);  // 2^-25 ties to 0
  // A subnormal float16 counts multiples of 2^-24; the significand here counts multiples of 2^(exponent - 150).
  const std::uint32_t shift = 126u - (magnitude >> 23);
  const std::uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u;
  const std::uint32_t quotient = significand >> shift;
  const std::uint32_t rest = significand << (32u - shift);
  const std::uint32_t up = rest > 0x80000000u || (rest == 0x80000000u && (quotient & 1u) != 0) ? 1u : 0u;
  return static_cast<std::uint16_t>(sign | (quotient + up));
}

/// Value of a float16's bits; exact. A signalling NaN becomes quiet.
constexpr float float16_value(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1fu;
  const std::uint32_t mantissa = bits & 0x3ffu;
  if (exponent == 0x1fu) {
    return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13) | (mantissa != 0 ? 0x400000u : 0u));
  }
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112u) << 23) | (mantissa << 13));
  if (mantissa == 0) return std::bit_cast<float>(sign);
  const std::uint32_t top = 31u - static_cast<std::uint32_t>(std::countl_zero(mantissa));  // its value is 2^(top - 24)
  return std::bit_cast<float>(sign | ((top + 103u) << 23) | ((mantissa << (23u - top)) & 0x7fffffu));
}

}  // namespace binade::formats
