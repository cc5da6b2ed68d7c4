// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/fine_counts.h"

#include "engine/formats/fine_place.h"

namespace binade::formats {

FinePlace fine_place(std::uint32_t magnitude) {
  return place_of_magnitude(magnitude);
}

std::optional<FineLimits> fine_limits(const Format& format, int shift) {
  if (format.finite_only && format != kFloat8E4M3fn) return std::nullopt;
  FineLimits limits;
  limits.not_zero = {format.subnormal_exponent() - 1 - shift, 1};
  limits.normal = {format.min_exponent() - 1 - shift, step_of_ones(format.mantissa_bits)};
  limits.overflow = {format.max_exponent() - shift,
                     format.finite_only ? step_of_ones(2) + 1 : step_of_ones(format.mantissa_bits + 1)};
  return limits;
}

}  // namespace binade::formats
