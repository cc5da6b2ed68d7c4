// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <cstdint>
#include <string>

namespace binade::numbers {

/// A bit pattern of a format, in the low 1 + E + M bits of `bits`: sign, exponent field, fraction. A plain value. Every
/// function of this header is pure and safe on any thread.
struct Number {
  formats::Format format;
  std::uint32_t bits = 0;

  friend bool operator==(const Number&, const Number&) = default;
};

enum class Kind { kZero, kSubnormal, kNormal, kInfinity, kNan };

/// Number of bits of a pattern: 16 for float16, 19 for tfloat32.
int width(const formats::Format& format);

Kind kind(const Number& number);
bool is_negative(const Number& number);
/// Stored exponent, biased: 15 for 1.0 in float16.
int exponent_field(const Number& number);
/// Stored fraction, without the leading 1 of a normal number.
std::uint32_t fraction_field(const Number& number);

/// Exact value; infinity or NaN for patterns that mean these.
double value(const Number& number);

/// Exponent b of a finite non-zero number: 2^b <= |value| < 2^(b+1). Subnormals have their true one.
int binade(const Number& number);

/// Unit in the last place of a finite number: the distance to the next number of larger magnitude, 2^-24 for every
/// subnormal of float16 and for 0. The largest finite number has the unit of its binade.
double ulp(const Number& number);

/// The next number towards plus or minus infinity. -0 and 0 count as one number: the next after the smallest negative
/// subnormal is 0. Infinity (the largest number in a format without it) is the end, and NaN stays.
Number next(const Number& number);
Number previous(const Number& number);

/// A real number that a person typed, as far as rounding to any format can tell it from others: a double rounded to
/// odd, so that rounding `nearest` to a format of up to 24 significant bits gives what rounding the exact number gives.
struct Real {
  double nearest = 0;
  bool exact = true;  ///< false: the exact number lies strictly between two doubles, and `nearest` is the odd one
};

/// Result of rounding a real number to nearest, ties to even. The number that follows the largest one is infinity, or
/// NaN in a format without infinity; for a tie it counts as the value that its pattern would otherwise have. A format
/// without both saturates, and NaN becomes its negative zero.
struct Rounded {
  Number number;
  double error = 0;    ///< rounded value - real number; NaN unless both are finite and within a double's range
  bool exact = false;  ///< nothing was rounded
  bool tie = false;    ///< the real number lies halfway between `below` and `above`; the even one was taken
  Number below;        ///< largest number not above the real number; for one that is exact, the number itself
  Number above;        ///< smallest number not below the real number
};

/// Rounds to the nearest number of a format. A zero has the sign of `real`. Overflow, infinity and NaN give what
/// formats::round gives.
Rounded round_to(const Real& real, const formats::Format& format,
                 formats::Overflow overflow = formats::Overflow::kInfinity);

/// All digits of a double, without an exponent and without trailing zeros: `0.000060975551605224609375` for 0x3ff of
/// float16. `inf`, `-inf` and `nan` for what is not finite.
std::string exact_decimal(double value);

/// The pattern as digits 0 and 1, a space behind sign and exponent: `0 01111 0000000000`.
std::string bit_text(const Number& number);
/// The pattern in hexadecimal, with as many digits as its width needs: `0x3c00`.
std::string hex_text(const Number& number);

}  // namespace binade::numbers
