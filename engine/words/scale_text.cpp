// SPDX-License-Identifier: Apache-2.0
#include "engine/words/scale_text.h"

#include "engine/words/numbers.h"

#include <cmath>
#include <cstdint>

namespace binade::words {

std::string scale_text(double scale) {
  int exponent = 0;
  if (std::isfinite(scale) && scale > 0 && std::frexp(scale, &exponent) == 0.5)
    return "2^" + std::to_string(exponent - 1);
  constexpr double kExact = 1e15;  // whole numbers up to here have all their digits in a double
  if (scale >= 1 && scale <= kExact && scale == std::floor(scale)) {
    return std::to_string(static_cast<std::uint64_t>(scale));
  }
  return figure(scale);
}

}  // namespace binade::words
