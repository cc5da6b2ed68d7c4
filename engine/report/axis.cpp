// SPDX-License-Identifier: Apache-2.0
#include "engine/report/axis.h"

#include "engine/report/typography.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace binade::report {

namespace {

constexpr double kMostMarks = 6;
/// Extremes that differ by a smaller part of their size are drawn as a constant: doubles have no room for marks between
/// them.
constexpr double kConstant = 1e-12;

}  // namespace

std::string coordinate(double value) {
  std::array<char, 32> digits{};
  // Far outside of any page; keeps the text short.
  const double within = std::clamp(value, -1e6, 1e6);
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), within, std::chars_format::fixed, 1);
  std::string label(digits.data(), end.ptr);
  if (label.ends_with(".0")) label.resize(label.size() - 2);
  return label == "-0" ? "0" : label;
}

Axis::Axis(Scale scale, double lowest, double highest) : scale_(scale) {
  low_ = along(lowest);
  high_ = along(highest);
  if (scale_ != Scale::kLinear) {
    low_ = std::floor(low_);
    high_ = std::max(std::ceil(high_), low_ + 1);
    mark_powers(scale_ == Scale::kPowersOf2 ? 2 : 10);
    return;
  }
  if (high_ - low_ <= kConstant * std::abs(low_)) {
    // A constant is drawn in the middle.
    const double room = low_ == 0 ? 1 : std::abs(low_) * 0.1;
    low_ -= room;
    high_ += room;
  }
  mark_numbers();
}

double Axis::place(double value) const {
  return (along(value) - low_) / (high_ - low_);
}

double Axis::along(double value) const {
  if (scale_ == Scale::kLinear) return value;
  return scale_ == Scale::kPowersOf2 ? std::log2(value) : std::log10(value);
}

void Axis::mark_powers(int base) {
  const int step = std::max(1, static_cast<int>(std::ceil((high_ - low_) / kMostMarks)));
  for (int exponent = static_cast<int>(low_); exponent <= static_cast<int>(high_); exponent += step)
    marks_.push_back({std::pow(base, exponent), power_text(base, exponent)});
}

void Axis::mark_numbers() {
  const double rough = (high_ - low_) / kMostMarks;
  const double unit = std::pow(10, std::floor(std::log10(rough)));
  const double step = rough <= unit ? unit : rough <= 2 * unit ? 2 * unit : rough <= 5 * unit ? 5 * unit : 10 * unit;
  if (!(step > 0) || !std::isfinite(step)) return;
  const double from = std::floor(low_ / step);
  const int gaps = static_cast<int>(std::min(std::ceil(high_ / step) - from, 2 * kMostMarks));
  low_ = from * step;
  high_ = (from + gaps) * step;
  for (int i = 0; i <= gaps; ++i) {
    const double value = (from + i) * step;
    marks_.push_back({value, number_text(std::abs(value) < step / 2 ? 0 : value)});
  }
}

}  // namespace binade::report
