// SPDX-License-Identifier: Apache-2.0
#include "engine/numbers/layout.h"
#include "engine/numbers/number.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace binade::numbers {

namespace {

using formats::Format;
using formats::Overflow;

/// A finite magnitude between two neighbours of a format whose exponents have no upper limit.
struct Place {
  std::uint64_t pattern = 0;  ///< the neighbour towards 0
  double rest = 0;            ///< distance from it, in units of the distance between the two: 0 <= rest < 1
};

Place place_of(double magnitude, const Format& format) {
  const int exponent = magnitude == 0 ? format.min_exponent() : std::max(std::ilogb(magnitude), format.min_exponent());
  // The unit here becomes 1. The scaled value is exact: it is below 2^24, and a double's subnormals only grow.
  const double scaled = std::ldexp(magnitude, format.mantissa_bits - exponent);
  const double whole = std::floor(scaled);
  const auto field = static_cast<std::uint64_t>(exponent + format.bias() - 1);  // the leading 1 of `whole` adds one
  return {static_cast<std::uint64_t>(whole) + (field << format.mantissa_bits), scaled - whole};
}

/// Neighbours of a magnitude, the one nearer to 0 first, and the pattern that it is rounded to.
struct Neighbours {
  std::uint32_t inner = 0;
  std::uint32_t outer = 0;
  std::uint32_t rounded = 0;
  bool tie = false;
};

Neighbours neighbours_of(double magnitude, const Format& format) {
  const Layout layout(format);
  if (std::isnan(magnitude)) return {layout.nan, layout.nan, layout.nan};
  if (std::isinf(magnitude)) {
    return {format.finite_only ? layout.largest : layout.beyond, layout.beyond, layout.beyond};
  }
  const Place place = place_of(magnitude, format);
  if (place.pattern > layout.largest) return {layout.largest, layout.beyond, layout.beyond};
  const auto inner = static_cast<std::uint32_t>(place.pattern);
  if (format.all_finite && inner == layout.largest) return {inner, inner, inner};
  const bool tie = place.rest == 0.5;
  const std::uint32_t up = place.rest > 0.5 || (tie && inner % 2 == 1) ? 1u : 0u;
  return {inner, place.rest == 0 ? inner : inner + 1, inner + up, tie};
}

/// The difference of two finite numbers; NaN for others, also for a real number beyond a double's range.
double rounding_error(double rounded, const Real& real) {
  const bool beyond = !real.exact && std::fabs(real.nearest) == std::numeric_limits<double>::max();
  if (!std::isfinite(rounded) || !std::isfinite(real.nearest) || beyond) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return rounded - real.nearest;
}

}  // namespace

Rounded round_to(const Real& real, const Format& format, Overflow overflow) {
  const Layout layout(format);
  Neighbours neighbours = neighbours_of(std::fabs(real.nearest), format);
  if (neighbours.rounded == layout.beyond && !std::isnan(real.nearest) && overflow == Overflow::kSaturate) {
    neighbours.rounded = layout.largest;
  }
  const bool negative = std::signbit(real.nearest);
  const bool saturated = format.all_finite && !(std::fabs(real.nearest) <= format.largest());  // NaN too
  const auto number = [&](std::uint32_t magnitude) {
    return Number{format, magnitude | (negative ? layout.sign : 0u)};
  };
  Rounded result;
  result.number = number(neighbours.rounded);
  result.below = number(negative ? neighbours.outer : neighbours.inner);
  result.above = number(negative ? neighbours.inner : neighbours.outer);
  result.exact =
      real.exact && !saturated && neighbours.inner == neighbours.outer && neighbours.rounded == neighbours.inner;
  result.tie = neighbours.tie;
  result.error = rounding_error(value(result.number), real);
  return result;
}

}  // namespace binade::numbers
