// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/numbers/number.h"

#include <QString>

#include <optional>

namespace binade::views {

/// The real number that the bit rows and the ruler show in every format. A plain value.
struct ShownNumber {
  numbers::Real real;
  /// The pattern that a person set in one format. It is kept, because rounding `real` does not lead back to every
  /// pattern: all NaN patterns have the same value.
  std::optional<numbers::Number> pattern;
  formats::Overflow overflow = formats::Overflow::kInfinity;

  /// The number in `format`: the pattern, or the real number rounded.
  numbers::Rounded in(const formats::Format& format) const;
};

/// A number of one format in words. Unknown figures are `–`.
struct NumberWords {
  QString value;   ///< all digits: `0.0999755859375`; `inf`, `NaN`
  QString kind;    ///< `zero`, `subnormal`, `normal`, `infinity`, `NaN`
  QString effect;  ///< what rounding did, if it was more than rounding: `rounds to infinity`; else empty
  QString error;   ///< number - real number: `−2.44 × 10⁻⁵`; `0` if nothing was rounded
  QString ulp;     ///< `2⁻¹⁴`
  QString binade;  ///< exponent of the binade as a power: `2⁻⁴`
};
NumberWords numberWords(const ShownNumber& shown, const formats::Format& format);

/// What rounding did beyond taking a neighbour: `overflows to infinity`, `overflows to NaN`, `saturates`, `becomes 0`;
/// else empty.
QString roundingEffect(const numbers::Real& real, const numbers::Rounded& rounded);

/// All digits of a value with a true minus sign.
QString exactText(double value);
/// A value in few characters: all digits if these are few, a power of two, or else this many figures. Unlike figure(),
/// it does not round a value that can be written in full.
QString briefText(double value, int figures = 6);
/// A real number with enough figures to tell it from its neighbours on a chart: all digits, or `≈` and nine figures.
QString realText(double value);

}  // namespace binade::views
