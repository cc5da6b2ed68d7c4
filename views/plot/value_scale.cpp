// SPDX-License-Identifier: Apache-2.0
#include "views/plot/value_scale.h"

#include "views/values/numbers.h"

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

/// Decades below the largest magnitude that stay logarithmic if the data include 0.
constexpr int kDecadesAroundZero = 4;
constexpr int kMostDecades = 60;

int decadeOf(double magnitude) {
  return static_cast<int>(std::floor(std::log10(magnitude) + 1e-9));
}

}  // namespace

ValueScale ValueScale::symlog(double linear) {
  ValueScale scale;
  scale.kind_ = Kind::kSymlog;
  scale.linear_ = linear > 0 && std::isfinite(linear) ? linear : 1;
  return scale;
}

double ValueScale::forward(double value) const {
  if (kind_ == Kind::kLinear) return value;
  return std::copysign(std::log10(1 + std::fabs(value) / linear_), value);
}

double ValueScale::inverse(double position) const {
  if (kind_ == Kind::kLinear) return position;
  return std::copysign((std::pow(10.0, std::fabs(position)) - 1) * linear_, position);
}

ValueScale symlogFor(const Range& range) {
  const double largest = std::max(std::fabs(range.low), std::fabs(range.high));
  if (!(largest > 0) || !std::isfinite(largest)) return ValueScale::symlog(1);
  int decade = decadeOf(largest) - kDecadesAroundZero;
  const bool one_sign = range.low > 0 || range.high < 0;
  if (one_sign) {
    const double smallest = std::min(std::fabs(range.low), std::fabs(range.high));
    decade = std::max(decadeOf(smallest), decadeOf(largest) - kMostDecades);
  }
  return ValueScale::symlog(std::pow(10.0, decade));
}

std::vector<Tick> symlogTicks(const Range& range, const ValueScale& scale, int most) {
  if (most <= 0 || !std::isfinite(range.low) || !std::isfinite(range.high) || !(range.high > range.low)) return {};
  const double largest = std::max(std::fabs(range.low), std::fabs(range.high));
  const int first = decadeOf(scale.linear());
  const int last = std::max(first, decadeOf(largest));
  const bool both = range.low < 0 && range.high > 0;
  const int decades = (last - first + 1) * (both ? 2 : 1);
  const int every = std::max(1, (decades + most - 1) / most);
  std::vector<Tick> ticks;
  const auto add = [&](double value) {
    if (range.contains(value)) ticks.push_back({value, value == 0 ? QStringLiteral("0") : figure(value, 1)});
  };
  // Counted from the largest decade, so that it always has its label.
  for (int decade = last; decade >= first; decade -= every) add(-std::pow(10.0, decade));
  add(0);
  const auto positive = static_cast<std::ptrdiff_t>(ticks.size());
  for (int decade = last; decade >= first; decade -= every) add(std::pow(10.0, decade));
  std::reverse(ticks.begin() + positive, ticks.end());
  return ticks;
}

}  // namespace binade::views
