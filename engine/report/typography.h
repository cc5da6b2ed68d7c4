// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

// Numbers as print sets them, which plain text on a terminal does not.

namespace binade::report {

/// `2¹⁶`, `10⁻³`.
std::string power_text(int base, int exponent);
/// A loss scale: `2¹⁶`, or its number if it is no power of two.
std::string scale_label(double scale);
/// Four significant digits; `−0.5`, `NaN`, `∞`, `−∞`.
std::string number_text(double value);
/// A number as text with the minus sign of print.
std::string minus_signs(std::string_view number);
/// A sentence of engine/words, with its powers of two as superscripts: `2^16` becomes `2¹⁶`.
std::string typeset(std::string_view sentence);

}  // namespace binade::report
