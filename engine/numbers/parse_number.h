// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/numbers/number.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace binade::numbers {

/// Why a text is no number: what is wrong and what to type instead, as one sentence each.
struct NotANumber {
  std::string message;
  std::string hint;
};

/// Parses a real number: decimal (`65519.996`, `1e-5`, `-.5`), hexadecimal with a binary exponent (`0x1.8p-3`), a power
/// of 2 or 10 (`2^-24`), a sum of products of these (`3*2^10`, `1+2^-12`), `inf`, `-inf` or `nan`. Correctly rounded to
/// odd for any number of digits; sums and products are exact before that, and may have 1000 characters, exponents from
/// -2000 to 2000, and in a product exponents of which the magnitudes add up to 4000. A number beyond a double's range
/// is valid: it rounds as a huge or tiny number does. Digits may be grouped by `_` or `'`. The signs − and × are read
/// as - and *.
std::variant<Real, NotANumber> parse_real(std::string_view text);

/// Parses what parse_real() parses, to the nearest double, ties to even, as a compiler does: for comparisons with
/// doubles. A finite number stays finite.
std::variant<double, NotANumber> parse_double(std::string_view text);

/// Parses the name of a format that has bits to look at: what formats::parse() accepts, and the elements of formats
/// whose values share scales: `float4_e2m1fn`, `float6_e2m3fn`, `float6_e3m2fn`. Empty for any other text.
std::optional<formats::Format> parse_format(std::string_view text);

/// Parses a pattern of a format: as many digits 0 and 1 as the format has bits, spaces allowed anywhere, or
/// `0x` with hexadecimal digits that fit into the width.
std::variant<Number, NotANumber> parse_bits(std::string_view text, const formats::Format& format);

}  // namespace binade::numbers
