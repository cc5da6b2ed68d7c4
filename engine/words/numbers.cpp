// SPDX-License-Identifier: Apache-2.0
#include "engine/words/numbers.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace binade::words {

std::string percent(double share) {
  std::array<char, 32> text{};
  const double value = share * 100;
  if (value >= 99.5 && value < 100) return "> 99 %";
  if (value > 0 && value < 0.001) return "< 0.001 %";
  std::snprintf(text.data(), text.size(), value >= 10 ? "%.0f %%" : value >= 1 ? "%.1f %%" : "%.2g %%", value);
  return text.data();
}

std::string grouped(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

std::string figure(double value) {
  if (std::isnan(value)) return "nan";  // without the sign that printf gives it
  std::array<char, 32> text{};
  const double magnitude = std::abs(value);
  const bool whole = magnitude >= 1000 && magnitude < 1e6;
  std::snprintf(text.data(), text.size(), whole ? "%.0f" : "%.4g", value);
  return text.data();
}

std::string duration(double seconds) {
  const double size = std::abs(seconds);
  if (size >= 1) return figure(seconds) + " s";
  if (size >= 1e-3 || size == 0) return figure(seconds * 1e3) + " ms";
  return size >= 1e-6 ? figure(seconds * 1e6) + " µs" : figure(seconds * 1e9) + " ns";
}

std::string bytes(double bytes) {
  constexpr std::array kUnits{" B", " kB", " MB", " GB", " TB"};
  std::size_t unit = 0;
  constexpr double kNext = 999.95;  // would be shown as 1000
  for (; std::abs(bytes) >= kNext && unit + 1 < kUnits.size(); ++unit) bytes /= 1000;
  return figure(bytes) + kUnits.at(unit);
}

}  // namespace binade::words
