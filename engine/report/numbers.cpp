// SPDX-License-Identifier: Apache-2.0
#include "engine/report/numbers.h"

#include "engine/report/typography.h"
#include "engine/words/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace binade::report {

std::string count_text(std::int64_t count) {
  return count < 0 ? "−" + words::grouped(static_cast<std::uint64_t>(-count))
                   : words::grouped(static_cast<std::uint64_t>(count));
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds)) return number_text(seconds);
  const double size = std::abs(seconds);
  if (size < 1e-3) return words::figure(seconds * 1e6) + " µs";
  if (size < 1) return words::figure(seconds * 1e3) + " ms";
  if (size < 60) return words::figure(seconds) + " s";
  const auto whole = static_cast<std::int64_t>(std::min(seconds, 1e15));
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return count_text(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
}

std::string bytes_text(double bytes) {
  return minus_signs(words::bytes(bytes));
}

std::string counted(std::int64_t count, const char* one, const char* many) {
  return count_text(count) + " " + (count == 1 ? one : many);
}

std::string doublings_text(double headroom) {
  if (!std::isfinite(headroom)) return number_text(headroom);
  std::array<char, 32> digits{};
  std::snprintf(digits.data(), digits.size(), "%.1f", std::floor(headroom * 10) / 10);
  return minus_signs(digits.data());
}

Html number_cell(double value) {
  const Html shown = text(number_text(value));
  return std::isfinite(value) ? shown : element("span", shown, "badge bad");
}

}  // namespace binade::report
