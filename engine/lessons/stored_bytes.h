// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

namespace binade::lessons {

/// Bytes of one value in memory: the smallest of 1, 2 and 4 that holds it. tfloat32, with 19 bits, takes 4.
constexpr int stored_bytes(const formats::Format& format) {
  const int bits = 1 + format.exponent_bits + format.mantissa_bits;
  return bits <= 8 ? 1 : bits <= 16 ? 2 : 4;
}

}  // namespace binade::lessons
