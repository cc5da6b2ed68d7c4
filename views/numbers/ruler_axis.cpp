// SPDX-License-Identifier: Apache-2.0
#include "views/numbers/ruler_axis.h"

#include "views/values/numbers.h"

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr Range kAllExponents{-156, 132};
constexpr Range kAllValues{-0x1p129, 0x1p129};
/// Narrowest views: a float32 has 2^24 numbers in a binade, and a pixel must stay far wider than a double's spacing.
constexpr double kLeastExponents = 1.0 / (1 << 26);
constexpr int kRelativeBits = 30;
constexpr int kLeastSpanExponent = -153;
/// Below this number of binades, ticks are decimal values.
constexpr double kFewBinades = 3;

double leastSpan(RulerAxis::Scale scale, const Range& range) {
  if (scale == RulerAxis::Scale::kLog2) return kLeastExponents;
  const double middle = std::fabs(range.low / 2 + range.high / 2);
  return std::max(std::ldexp(1.0, kLeastSpanExponent), std::ldexp(middle, -kRelativeBits));
}

int decimalPlace(double value) {
  return static_cast<int>(std::floor(std::log10(std::fabs(value)) + 1e-9));
}

/// linearTicks(), with more digits if three do not tell the ticks apart.
std::vector<Tick> valueTicks(const Range& range, int most) {
  constexpr int kMostTickFigures = 13;
  std::vector<Tick> ticks = linearTicks(range, most);
  const double largest = std::max(std::fabs(range.low), std::fabs(range.high));
  if (ticks.size() < 2) return ticks;
  const double step = ticks[1].value - ticks[0].value;
  if (largest < 1e6 && step > 1e-5) return ticks;
  for (Tick& tick : ticks) {
    if (std::fabs(tick.value) < step / 2) {
      tick = {0, QStringLiteral("0")};
      continue;
    }
    const int figures = decimalPlace(tick.value) - decimalPlace(step) + 1;
    tick.label = figure(tick.value, std::clamp(figures, 1, kMostTickFigures));
  }
  return ticks;
}

}  // namespace

Range RulerAxis::values() const {
  return {value(range_.low), value(range_.high)};
}

void RulerAxis::set(Scale scale, Range range) {
  if (!std::isfinite(range.low) || !std::isfinite(range.high)) return;
  const Range& all = scale == Scale::kLog2 ? kAllExponents : kAllValues;
  const double span = std::clamp(range.span(), leastSpan(scale, range), all.span());
  const double middle = range.low / 2 + range.high / 2;
  const double low = std::clamp(middle - span / 2, all.low, all.high - span);
  scale_ = scale;
  range_ = {low, low + span};
}

void RulerAxis::zoom(double at, double factor) {
  // Stops at the limits instead of moving `at` away from its place.
  const Range& all = isLog() ? kAllExponents : kAllValues;
  const double span = std::clamp(range_.span() * factor, leastSpan(scale_, {at, at}), all.span());
  const double part = (at - range_.low) / range_.span();
  const double low = at - part * span;
  set(scale_, {low, low + span});
}

void RulerAxis::pan(double coordinates) {
  const Range& all = isLog() ? kAllExponents : kAllValues;
  const double low = std::clamp(range_.low + coordinates, all.low, all.high - range_.span());
  range_ = {low, low + range_.span()};
}

void RulerAxis::showValues(Scale scale, Range values) {
  if (scale == Scale::kLinear) return set(scale, values);
  if (values.low > 0) set(scale, {std::log2(values.low), std::log2(values.high)});
}

double RulerAxis::coordinate(double value) const {
  return isLog() ? std::log2(std::fabs(value)) : value;
}

double RulerAxis::value(double coordinate) const {
  return isLog() ? std::exp2(coordinate) : coordinate;
}

double RulerAxis::snapped(double coordinate, double pixel) const {
  const double exact = value(coordinate);
  const double wide = isLog() ? exact * std::log(2.0) * pixel : pixel;
  if (!(wide > 0) || !std::isfinite(exact)) return exact;
  const double unit = std::ldexp(1.0, static_cast<int>(std::ceil(std::log2(wide))));
  return std::nearbyint(exact / unit) * unit;
}

std::vector<Tick> RulerAxis::ticks(int most) const {
  if (!isLog()) return valueTicks(range_, most);
  if (range_.span() >= kFewBinades) return binadeTicks(range_, most);
  std::vector<Tick> ticks = valueTicks(values(), most);
  std::erase_if(ticks, [](const Tick& tick) { return !(tick.value > 0); });
  for (Tick& tick : ticks) tick.value = coordinate(tick.value);
  return ticks;
}

}  // namespace binade::views
