// SPDX-License-Identifier: Apache-2.0
#include "views/numbers/bit_layout.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace binade::views {

namespace {

constexpr int kFirstFraction = 9;  // column
constexpr double kLeastCell = 9;
constexpr double kMostCell = 14;

constexpr double kWideFrom = 1060;
constexpr double kWideCell = 12;
constexpr double kFormatWide = 132;
constexpr double kKindWide = 130;
constexpr double kErrorWide = 104;
constexpr double kPowerWide = 58;
constexpr double kColumnGap = 12;

std::uint32_t maskOf(const numbers::Number& number, int bit) {
  return std::uint32_t{1} << (numbers::width(number.format) - 1 - bit);
}

}  // namespace

BitLayout BitLayout::in(double width) {
  BitLayout layout;
  layout.cell = std::clamp(std::floor((width - 2 * kGroupGap) / kBitColumns), kLeastCell, kMostCell);
  return layout;
}

double BitLayout::left(int column) const {
  const double gaps = column == 0 ? 0 : column < kFirstFraction ? kGroupGap : 2 * kGroupGap;
  return column * cell + gaps;
}

BitGroup BitLayout::groupOf(const formats::Format& format, int bit) {
  if (bit == 0) return BitGroup::kSign;
  return bit <= format.exponent_bits ? BitGroup::kExponent : BitGroup::kFraction;
}

int BitLayout::columnOf(const formats::Format& format, int bit) {
  return bit == 0 ? 0 : kFirstFraction - 1 - format.exponent_bits + bit;
}

int BitLayout::bitAt(const formats::Format& format, int column) {
  if (column <= 0) return 0;
  return std::clamp(column - (kFirstFraction - 1 - format.exponent_bits), 1, numbers::width(format) - 1);
}

BitRowColumns BitRowColumns::in(double width) {
  BitRowColumns at;
  at.wide = width >= kWideFrom;
  const double right = width - kMargin;
  if (!at.wide) {
    constexpr double kLine = 18;
    constexpr double kCells = 20;
    at.headerHigh = 20;
    at.rowHigh = 2 * kLine + kCells + 10;
    at.bits = BitLayout::in(right - kMargin);
    at.name = {kMargin, 4, kFormatWide, kLine};
    at.kind = {right - kKindWide, 4, kKindWide, kLine};
    at.value = {at.name.right(), 4, at.kind.left() - kColumnGap - at.name.right(), kLine};
    at.cells = {kMargin, at.name.bottom() + 1, at.bits.width(), kCells};
    at.error = {kMargin, at.cells.bottom() + 1, right - kMargin, kLine};
    return at;
  }
  at.headerHigh = 24;
  at.rowHigh = 30;
  at.bits.cell = kWideCell;
  at.name = {kMargin, 0, kFormatWide, at.rowHigh};
  at.cells = {at.name.right() + 4, 5, at.bits.width(), at.rowHigh - 10};
  at.binade = {right - kPowerWide, 0, kPowerWide, at.rowHigh};
  at.ulp = {at.binade.left() - kPowerWide, 0, kPowerWide, at.rowHigh};
  at.error = {at.ulp.left() - kErrorWide, 0, kErrorWide, at.rowHigh};
  at.kind = {at.error.left() - kKindWide, 0, kKindWide, at.rowHigh};
  const double value = at.cells.right() + 16;
  at.value = {value, 0, at.kind.left() - kColumnGap - value, at.rowHigh};
  return at;
}

numbers::Number withBitToggled(numbers::Number number, int bit) {
  number.bits ^= maskOf(number, bit);
  return number;
}

bool bitOf(const numbers::Number& number, int bit) {
  return (number.bits & maskOf(number, bit)) != 0;
}

}  // namespace binade::views
