// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <cstdint>
#include <vector>

namespace binade::test {

/// IEEE's format with the bits of float8_e4m3fn: infinities and several NaNs in the top exponent, largest number 240.
inline constexpr formats::Format kE4M3{4, 3};

/// Value of a pattern by the definition of its format, (-1)^s * 2^(field - bias) * (1 + f / 2^M), with no code of the
/// product.
double patternValue(std::uint32_t bits, const formats::Format& format);

/// The values of all patterns of a format with at most 16 bits that are finite, in order, 0 once.
std::vector<double> finiteValues(const formats::Format& format);

/// A fixed sequence of pseudo-random bits.
class RandomBits {
 public:
  explicit RandomBits(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// A double whose exponent is at random from `low` to `high`.
  double between(int low, int high);

 private:
  std::uint64_t state_;
};

}  // namespace binade::test
