// SPDX-License-Identifier: Apache-2.0
#include "views/plot/axis.h"

#include "views/values/numbers.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kLeastLabels = 3;

/// Returns the smallest 1, 2 or 5 x 10^n that is at least `least`.
double niceStep(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

bool usable(const Range& range, int most) {
  return most > 0 && std::isfinite(range.low) && std::isfinite(range.high) && range.high > range.low;
}

template <typename Label>
std::vector<Tick> ticksAt(const Range& range, double step, Label&& label) {
  std::vector<Tick> ticks;
  const auto from = static_cast<std::int64_t>(std::ceil(range.low / step - 1e-9));
  const auto to = static_cast<std::int64_t>(std::floor(range.high / step + 1e-9));
  for (std::int64_t i = from; i <= to; ++i) {
    const double value = static_cast<double>(i) * step;
    ticks.push_back({value, label(value)});
  }
  return ticks;
}

}  // namespace

std::vector<Tick> linearTicks(const Range& range, int most) {
  if (!usable(range, most)) return {};
  const double step = niceStep(range.span() / most);
  const double largest = std::max(std::fabs(range.low), std::fabs(range.high));
  const int places = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  const bool powers = largest >= 1e6 || places > 5;
  const int figures = std::max(1, static_cast<int>(std::floor(std::log10(largest))) + places + 1);
  return ticksAt(range, step, [&](double value) -> QString {
    if (value == 0) return places > 0 && !powers ? QLocale().toString(0.0, 'f', places) : QStringLiteral("0");
    if (powers) return figure(value, std::min(figures, 3));
    return QLocale().toString(value, 'f', places).replace(QLatin1Char('-'), QChar(u'−'));
  });
}

std::vector<Tick> stepTicks(const Range& range, int most) {
  if (!usable(range, most)) return {};
  const double step = std::max(1.0, niceStep(range.span() / most));
  return ticksAt(range, step, [](double value) { return grouped(static_cast<std::int64_t>(std::llround(value))); });
}

std::vector<Tick> binadeTicks(const Range& range, int most) {
  if (!usable(range, most)) return {};
  double step = 1;
  while (range.span() / step > most && step < 64) step *= 2;
  // An axis with fewer than three labels leaves its reader to guess.
  const auto count = [&range](double every) {
    return std::floor(range.high / every + 1e-9) - std::ceil(range.low / every - 1e-9) + 1;
  };
  while (step > 1 && count(step) < kLeastLabels) step /= 2;
  return ticksAt(range, step, [](double value) { return powerOfTwo(static_cast<int>(std::lround(value))); });
}

std::vector<Tick> labelsApart(const std::vector<Tick>& ticks, double pixels, double least) {
  std::vector<Tick> apart;
  for (auto tick = ticks.rbegin(); tick != ticks.rend(); ++tick) {
    if (apart.empty() || std::fabs(apart.back().value - tick->value) * pixels >= least) apart.push_back(*tick);
  }
  std::reverse(apart.begin(), apart.end());
  return apart;
}

Range widened(const Range& range, int ticks) {
  double low = range.low;
  double high = range.high;
  if (!(high > low)) {
    const double pad = low == 0 ? 1 : std::fabs(low) * 0.5;
    low -= pad;
    high += pad;
  }
  const double step = niceStep((high - low) / ticks);
  return {std::floor(low / step + 1e-9) * step, std::ceil(high / step - 1e-9) * step};
}

}  // namespace binade::views
