// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <cstdint>
#include <string>

namespace binade::test {

/// The value of a bit pattern, from the format's definition: sign, 2^(field - bias), 1.mantissa; in double arithmetic.
double valueByDefinition(std::uint32_t bits, const formats::Format& format);

/// The value of `format` nearest to `value`, ties to even, from the definition in double arithmetic, with none of the
/// product's code: the value is scaled so that the format's spacing there is 1, and split at the point.
double roundedByDefinition(double value, const formats::Format& format,
                           formats::Overflow overflow = formats::Overflow::kInfinity);

/// Equal, or both NaN; zeros differ by sign.
bool same(double a, double b);

/// Where `round`, `encode` and `decode` differ from the definition at `value`; empty where they agree.
std::string disagreement(float value, const formats::Format& format,
                         formats::Overflow overflow = formats::Overflow::kInfinity);

/// A fixed sequence of random 32-bit patterns.
class Patterns {
 public:
  explicit Patterns(std::uint64_t seed) : state_(seed) {}
  std::uint32_t next();

 private:
  std::uint64_t state_;
};

}  // namespace binade::test
