// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <cstdint>

namespace binade::numbers {

/// Bit patterns that limit the parts of a format. Without the sign, the finite patterns are 0 to `largest`, in the
/// order of their values.
struct Layout {
  std::uint32_t sign;     ///< the sign bit
  std::uint32_t beyond;   ///< the pattern after `largest`: infinity or NaN; `largest` itself in a format without both
  std::uint32_t largest;  ///< the largest finite number
  std::uint32_t nan;      ///< the quiet NaN; negative zero in a format without NaN

  explicit constexpr Layout(const formats::Format& format)
      : sign(1u << (format.exponent_bits + format.mantissa_bits)),
        beyond(format.finite_only ? sign - 1 : ((1u << format.exponent_bits) - 1) << format.mantissa_bits),
        largest(format.all_finite ? beyond : beyond - 1),
        nan(format.all_finite    ? sign
            : format.finite_only ? beyond
                                 : beyond | (1u << (format.mantissa_bits - 1))) {}
};

}  // namespace binade::numbers
