// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/numbers/number.h"

#include <QRectF>

namespace binade::views {

enum class BitGroup { kSign, kExponent, kFraction };

/// Positions of bits in rows whose formats differ: the last exponent bits are below each other, and so are the first
/// fraction bits. A bit's index counts from the sign, 0; a column counts from 0 to kBitColumns - 1.
struct BitLayout {
  static constexpr int kBitColumns = 32;  ///< 1 sign, 8 exponent and 23 fraction bits
  static constexpr double kGroupGap = 8;

  double cell = 12;  ///< width of a bit in px

  /// Layout in this width; bits are 9 to 14 px wide.
  static BitLayout in(double width);
  double width() const { return cell * kBitColumns + 2 * kGroupGap; }
  /// Left edge of a column, from the left edge of the bits.
  double left(int column) const;

  static BitGroup groupOf(const formats::Format& format, int bit);
  static int columnOf(const formats::Format& format, int bit);
  /// The bit in a column, or the nearest one.
  static int bitAt(const formats::Format& format, int column);
};

/// Positions in a bit row, in px from its upper left corner. A wide row has one line, a narrow one three: name, value
/// and kind; the bits; error, ulp and binade.
struct BitRowColumns {
  static constexpr double kMargin = 12;

  bool wide = false;
  BitLayout bits;
  double headerHigh = 0;
  double rowHigh = 0;
  QRectF name, cells, value, kind;
  QRectF error, ulp, binade;  ///< in a narrow row, `error` holds all three

  static BitRowColumns in(double width);
};

/// The number with one bit inverted.
numbers::Number withBitToggled(numbers::Number number, int bit);
bool bitOf(const numbers::Number& number, int bit);

}  // namespace binade::views
