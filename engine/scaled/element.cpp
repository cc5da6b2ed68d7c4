// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/element.h"

#include "engine/scaled/element_rounding.h"

#include <bit>
#include <cmath>
#include <limits>

namespace binade::scaled {

namespace {

constexpr std::array<ElementLayout, kElements.size()> kLayouts{{
    {"e4m3", 4, 3, 8, 448.0F, true, false},
    {"e5m2", 5, 2, 15, 57344.0F, true, true},
    {"e2m3", 2, 3, 2, 7.5F, false, false},
    {"e3m2", 3, 2, 4, 28.0F, false, false},
    {"e2m1", 2, 1, 2, 6.0F, false, false},
}};

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

}  // namespace

float ElementLayout::smallest_normal() const {
  return std::ldexp(1.0F, min_exponent());
}

float ElementLayout::smallest_subnormal() const {
  return std::ldexp(1.0F, min_exponent() - mantissa_bits);
}

const ElementLayout& layout(Element element) {
  return kLayouts[static_cast<std::size_t>(element)];
}

std::optional<Element> parse_element(std::string_view name) {
  for (const Element element : kElements) {
    if (layout(element).name == name) return element;
  }
  return std::nullopt;
}

float decode(std::uint8_t code, Element element) {
  const ElementLayout& format = layout(element);
  const unsigned mantissas = 1u << format.mantissa_bits;
  const unsigned fields = 1u << format.exponent_bits;
  const unsigned mantissa = code & (mantissas - 1);
  const unsigned field = (static_cast<unsigned>(code) >> format.mantissa_bits) & (fields - 1);
  const bool negative = ((static_cast<unsigned>(code) >> (format.bits() - 1)) & 1u) != 0;
  float magnitude = 0;
  if (format.has_infinity && field == fields - 1) {
    magnitude = mantissa == 0 ? std::numeric_limits<float>::infinity() : kNan;
  } else if (format.has_nan && !format.has_infinity && field == fields - 1 && mantissa == mantissas - 1) {
    magnitude = kNan;
  } else if (field == 0) {
    magnitude = static_cast<float>(mantissa) * format.smallest_subnormal();
  } else {
    magnitude = std::ldexp(static_cast<float>(mantissas + mantissa),
                           static_cast<int>(field) - format.bias() - format.mantissa_bits);
  }
  return std::copysign(magnitude, negative ? -1.0F : 1.0F);
}

float round(float value, Element element) {
  return ElementRounding(element).nearest(value);
}

float round_stochastic(float value, Element element, std::uint32_t draw) {
  return ElementRounding(element).stochastic(value, draw);
}

std::uint8_t encode(float rounded, Element element) {
  const ElementLayout& format = layout(element);
  const unsigned sign = std::signbit(rounded) ? 1u << (format.bits() - 1) : 0u;
  if (std::isnan(rounded)) {
    if (!format.has_nan) return static_cast<std::uint8_t>(1u << (format.bits() - 1));
    const unsigned all = (1u << (format.bits() - 1)) - 1;
    // The quiet NaN of the IEEE layout has the top mantissa bit alone.
    return static_cast<std::uint8_t>(sign |
                                     (format.has_infinity ? all ^ ((1u << (format.mantissa_bits - 1)) - 1) : all));
  }
  const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(rounded) & ElementRounding::kMagnitude;
  const float value = std::bit_cast<float>(magnitude);
  if (value < format.smallest_normal()) {
    return static_cast<std::uint8_t>(sign | static_cast<unsigned>(value / format.smallest_subnormal()));
  }
  const unsigned rebias = static_cast<unsigned>(127 - format.bias()) << format.mantissa_bits;
  return static_cast<std::uint8_t>(sign | ((magnitude >> (23 - format.mantissa_bits)) - rebias));
}

float decode_e8m0(std::uint8_t code) {
  return code == 255 ? kNan : std::ldexp(1.0F, code - 127);
}

std::uint8_t encode_e8m0(float value) {
  if (!(value > 0) || std::isinf(value)) return 255;
  int exponent = 0;
  const float fraction = std::frexp(value, &exponent);  // value = fraction * 2^exponent, 0.5 <= fraction < 1
  int code = exponent - 1 + 127;
  if (fraction >= 0.75F) ++code;
  return static_cast<std::uint8_t>(code < 0 ? 0 : code);
}

}  // namespace binade::scaled
