// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace binade::scaled {

/// Formats of the elements of a scaled tensor, by the OCP specifications of 8-bit formats and of Microscaling. They
/// saturate: a value beyond the largest becomes the largest of its sign, infinity too.
enum class Element : std::uint8_t {
  kE4M3,  ///< 448 is the largest; no infinity, one NaN per sign
  kE5M2,  ///< 57344; the codes of infinity are never written
  kE2M3,  ///< 7.5; neither infinity nor NaN
  kE3M2,  ///< 28; neither infinity nor NaN
  kE2M1,  ///< 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives; neither infinity nor NaN
};
inline constexpr std::array kElements{Element::kE4M3, Element::kE5M2, Element::kE2M3, Element::kE3M2, Element::kE2M1};

/// Layout and limits of an element format. A code is a sign bit, `exponent_bits` and `mantissa_bits`.
struct ElementLayout {
  std::string_view name;  ///< `e4m3`
  int exponent_bits = 0;
  int mantissa_bits = 0;
  int emax = 0;          ///< exponent of the largest value: 8 for E4M3
  float largest = 0;     ///< 448 for E4M3
  bool has_nan = false;  ///< a code is NaN
  bool has_infinity = false;

  constexpr int bits() const { return 1 + exponent_bits + mantissa_bits; }
  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr int min_exponent() const { return 1 - bias(); }  ///< of the smallest normal value: -6 for E4M3
  float smallest_normal() const;
  float smallest_subnormal() const;
};

/// Layout of an element format.
const ElementLayout& layout(Element element);

/// Element of a name, such as `e4m3`. Empty for any other text.
std::optional<Element> parse_element(std::string_view name);

/// Value of a code. Bits above the format's are ignored.
float decode(std::uint8_t code, Element element);

/// Value of `element` nearest to `value`: ties to even, subnormals kept, saturating. NaN stays NaN.
float round(float value, Element element);

/// One of the two neighbours of `value` in `element`, saturating: the one farther from 0 with the probability that
/// makes the expectation `value`. `draw` is uniform over 32 bits (random_bits.h). NaN stays NaN.
float round_stochastic(float value, Element element, std::uint32_t draw);

/// Code of a value that `round` or `round_stochastic` returned. NaN is the format's NaN; in a format without NaN it is
/// negative zero, as in ml_dtypes.
std::uint8_t encode(float rounded, Element element);

/// Value of a code of the scale format E8M0: 2^(code - 127); NaN for 255.
float decode_e8m0(std::uint8_t code);

/// Code of E8M0 nearest to a positive value: ties to the larger, as in ml_dtypes. 255, NaN, for NaN, infinity, values
/// from 1.5 * 2^127 on, and values that are not positive. Block scales follow a rule of block_scale.h instead.
std::uint8_t encode_e8m0(float value);

}  // namespace binade::scaled
