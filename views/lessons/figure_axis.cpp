// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/figure_axis.h"

#include "views/values/numbers.h"
#include "views/values/typography.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kFarOutside = 1e5;  // px; what is cut at the plot's edge needs no exact position

QString powerOfTen(int exponent, bool plain) {
  if (!plain) return QStringLiteral("10") + powerOfTwo(exponent).sliced(1);
  if (exponent >= 0) return wholeNumber(std::llround(std::pow(10, exponent)));
  return QLocale().toString(std::pow(10, exponent), 'f', -exponent);
}

/// Whole numbers are written as in the tables of figures, and not as powers of 10.
std::vector<Tick> wholeTicks(std::vector<Tick> ticks) {
  constexpr double kLongest = 1e9;
  const bool whole = std::all_of(ticks.begin(), ticks.end(), [](const Tick& tick) {
    return std::fabs(tick.value) <= kLongest && tick.value == std::round(tick.value);
  });
  if (!whole) return ticks;
  for (Tick& tick : ticks) tick.label = wholeNumber(std::llround(tick.value));
  return ticks;
}

std::vector<Tick> decadeTicks(const Range& range, int most) {
  if (most < 1 || !(range.high > range.low)) return {};
  const int step = std::max(1, static_cast<int>(std::ceil(range.span() / most)));
  // Numbers are written out on an axis on which all of them are short.
  constexpr double kShort = 4.5;
  const bool plain = range.low > -kShort && range.high < kShort;
  std::vector<Tick> ticks;
  const int first = static_cast<int>(std::ceil(range.low - 1e-9));
  for (int exponent = first; exponent <= range.high + 1e-9; exponent += step) {
    ticks.push_back({static_cast<double>(exponent), powerOfTen(exponent, plain)});
  }
  return ticks;
}

}  // namespace

FigureAxis::FigureAxis(const lessons::Axis& axis, double first, double last)
    : scale_(axis.scale), first_(first), last_(last) {
  range_ = {coordinate(axis.low), coordinate(axis.high)};
}

double FigureAxis::coordinate(double value) const {
  switch (scale_) {
    case lessons::AxisScale::kLinear:
      return value;
    case lessons::AxisScale::kLog2:
      return std::log2(value);
    case lessons::AxisScale::kLog10:
      return std::log10(value);
  }
  return value;
}

std::optional<double> FigureAxis::at(double value) const {
  if (std::isnan(value) || (scale_ != lessons::AxisScale::kLinear && !(value > 0))) return std::nullopt;
  const double part = (coordinate(value) - range_.low) / range_.span();
  if (std::isnan(part)) return std::nullopt;
  return std::clamp(first_ + part * (last_ - first_), -kFarOutside, kFarOutside);
}

double FigureAxis::cut(double value) const {
  const auto [low, high] = std::minmax(first_, last_);
  return std::clamp(at(value).value_or(first_), low, high);
}

double FigureAxis::valueAt(double pixel) const {
  const double coordinate = range_.low + (pixel - first_) / (last_ - first_) * range_.span();
  switch (scale_) {
    case lessons::AxisScale::kLinear:
      return coordinate;
    case lessons::AxisScale::kLog2:
      return std::exp2(coordinate);
    case lessons::AxisScale::kLog10:
      return std::pow(10, coordinate);
  }
  return coordinate;
}

bool FigureAxis::shows(double value) const {
  constexpr double kSlack = 1e-9;  // of the span
  const double at = coordinate(value);
  const double slack = kSlack * range_.span();
  return at >= range_.low - slack && at <= range_.high + slack;
}

std::vector<Tick> FigureAxis::ticks(int most) const {
  switch (scale_) {
    case lessons::AxisScale::kLinear:
      return wholeTicks(linearTicks(range_, most));
    case lessons::AxisScale::kLog2: {
      auto ticks = binadeTicks(range_, most);
      for (Tick& tick : ticks) tick.value = std::exp2(tick.value);
      return ticks;
    }
    case lessons::AxisScale::kLog10: {
      auto ticks = decadeTicks(range_, most);
      for (Tick& tick : ticks) tick.value = std::pow(10, tick.value);
      return ticks;
    }
  }
  return {};
}

}  // namespace binade::views
