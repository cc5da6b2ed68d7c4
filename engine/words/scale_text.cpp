// SPDX-License-Identifier: Apache-2.0
#include "engine/words/scale_text.h"

#include <cmath>
#include <cstdio>

namespace binade::words {

std::string scale_text(double scale) {
  int exponent = 0;
  if (std::isfinite(scale) && scale > 0 && std::frexp(scale, &exponent) == 0.5)
    return "2^" + std::to_string(exponent - 1);
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", scale);
  return text;
}

}  // namespace binade::words
