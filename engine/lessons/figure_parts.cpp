// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/figure_parts.h"

#include "engine/numbers/number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>

namespace binade::lessons {

namespace {

/// `9.998679e-06` as `9.998679e-6`, `1e+38` as `1e38`.
std::string plain_exponent(std::string text) {
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  std::size_t digits = e + 1;
  if (text[digits] == '+') text.erase(digits, 1);
  if (text[digits] == '-') ++digits;
  while (digits + 1 < text.size() && text[digits] == '0') text.erase(digits, 1);
  return text;
}

std::string power_text(int exponent) {
  return "2^" + std::to_string(exponent);
}

std::string formatted(const char* pattern, double value) {
  std::array<char, 64> buffer{};
  const int length = std::snprintf(buffer.data(), buffer.size(), pattern, value);
  return {buffer.data(), static_cast<std::size_t>(length)};
}

}  // namespace

double held(double value, const formats::Format& format) {
  if (std::isnan(value)) return value;
  return numbers::value(numbers::round_to({value}, format).number);
}

double step_at(double value, const formats::Format& format) {
  return numbers::ulp(numbers::round_to({value}, format).number);
}

std::string bits_text(double value, const formats::Format& format) {
  return numbers::hex_text(numbers::round_to({value}, format).number);
}

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  int exponent = 0;
  if (std::fabs(std::frexp(value, &exponent)) == 0.5 && (exponent - 1 < -5 || exponent - 1 > 24)) {
    return (value < 0 ? "-" : "") + power_text(exponent - 1);
  }
  std::array<char, 64> buffer{};
  const auto whole = static_cast<long long>(std::fabs(value) < 1e15 ? value : 0);
  const bool is_whole = value != 0 && static_cast<double>(whole) == value;
  char* const last = buffer.data() + buffer.size();
  std::to_chars_result end{};
  if (is_whole) {
    end = std::to_chars(buffer.data(), last, whole);
  } else if (std::fabs(value) > 0x1p24 && std::fabs(value) < 1e15) {
    end = std::to_chars(buffer.data(), last, value);  // a float32 would change the digits before the point
  } else if (std::fabs(value) > static_cast<double>(std::numeric_limits<float>::max())) {
    return plain_exponent(formatted("%.8g", value));
  } else {
    end = std::to_chars(buffer.data(), last, static_cast<float>(value));
  }
  return plain_exponent({buffer.data(), end.ptr});
}

std::string brief_text(double value) {
  if (value == 0 || !std::isfinite(value)) return number_text(value);
  const std::string brief = plain_exponent(formatted("%.3g", value));
  int exponent = 0;
  const bool power = std::fabs(std::frexp(value, &exponent)) == 0.5;
  if (!power || std::strtod(brief.c_str(), nullptr) == value) return brief;
  return (value < 0 ? "-" : "") + power_text(exponent - 1);
}

std::string share_text(double percent) {
  if (percent == 0) return "0 %";
  return percent < 0.01 ? "< 0.01 %" : formatted("%.2f %%", percent);
}

std::string error_text(double percent) {
  if (!std::isfinite(percent)) return number_text(percent);
  return plain_exponent(formatted("%.3g", percent)) + " %";
}

double error_percent(double value, double exact) {
  return value == exact ? 0 : 100 * std::fabs(value - exact) / std::fabs(exact);
}

double power_of_two(int exponent) {
  return std::ldexp(1.0, exponent);
}

void add_fact(FigureData& data, std::string name, double value) {
  add_fact(data, std::move(name), value, number_text(value));
}

void add_fact(FigureData& data, std::string name, double value, std::string text) {
  data.facts.push_back({std::move(name), value, std::move(text)});
}

void add_window(Panel& panel, const formats::Format& format, bool on_x) {
  const Axis& axis = on_x ? panel.x : panel.y;
  const auto add = [&](double from, double to, Role role, const std::optional<formats::Format>& limits) {
    panel.bands.push_back(
        {.from = from, .to = to, .label = role_text(role), .on_x = on_x, .role = role, .format = limits});
  };
  add(axis.low, format.underflow_limit(), Role::kZero, std::nullopt);
  add(format.underflow_limit(), format.smallest_normal(), Role::kSubnormal, format);
  add(format.smallest_normal(), format.overflow_limit(), Role::kNormal, format);
  add(format.overflow_limit(), axis.high, Role::kOverflow, format);
}

Role role_of(double held_value, const formats::Format& format) {
  if (!std::isfinite(held_value)) return Role::kOverflow;
  if (held_value == 0) return Role::kZero;
  return std::fabs(held_value) < format.smallest_normal() ? Role::kSubnormal : Role::kNormal;
}

std::string role_text(Role role) {
  switch (role) {
    case Role::kZero:
      return "becomes 0";
    case Role::kSubnormal:
      return "subnormal";
    case Role::kOverflow:
      return "overflows";
    default:
      return "normal";
  }
}

}  // namespace binade::lessons
