// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/lost_update.h"

#include "engine/lessons/figure_parts.h"
#include "engine/numbers/number.h"

#include <cstdint>

namespace binade::lessons {

namespace {

/// Patterns of positive numbers sort as the numbers do, and a larger update is lost only if all smaller ones are: the
/// last lost one is found by bisection.
double last_lost(double parameter, double sign, const formats::Format& format) {
  std::uint32_t lost = 0;
  std::uint32_t kept = numbers::round_to({parameter}, format).number.bits;
  while (kept - lost > 1) {
    const std::uint32_t middle = lost + (kept - lost) / 2;
    const bool same = held(parameter + sign * numbers::value({format, middle}), format) == parameter;
    (same ? lost : kept) = middle;
  }
  return numbers::value({format, lost});
}

}  // namespace

double largest_lost_increase(double parameter, const formats::Format& format) {
  return last_lost(parameter, 1, format);
}

double largest_lost_decrease(double parameter, const formats::Format& format) {
  return last_lost(parameter, -1, format);
}

}  // namespace binade::lessons
