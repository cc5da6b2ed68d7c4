// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/format.h"

#include <array>
#include <charconv>
#include <utility>

namespace binade::formats {

namespace {

constexpr std::array<std::pair<std::string_view, Format>, 6> kNamed{{
    {"float32", kFloat32},
    {"tfloat32", kTFloat32},
    {"bfloat16", kBFloat16},
    {"float16", kFloat16},
    {"float8_e4m3fn", kFloat8E4M3fn},
    {"float8_e5m2", kFloat8E5M2},
}};

/// Takes a number of one or two digits, without a leading zero, off the front of `text`.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || length > 2 || text[0] == '0' || text[0] == '-') return std::nullopt;
  text.remove_prefix(length);
  return number;
}

}  // namespace

std::string name(const Format& format) {
  for (const auto& [text, named] : kNamed) {
    if (named == format) return std::string(text);
  }
  return "e" + std::to_string(format.exponent_bits) + "m" + std::to_string(format.mantissa_bits) +
         (format.finite_only ? "fn" : "");
}

std::optional<Format> parse(std::string_view text) {
  for (const auto& [known, format] : kNamed) {
    if (known == text) return format;
  }
  if (!text.starts_with('e')) return std::nullopt;
  text.remove_prefix(1);
  const std::optional<int> exponent = take_number(text);
  if (!exponent || !text.starts_with('m')) return std::nullopt;
  text.remove_prefix(1);
  const std::optional<int> mantissa = take_number(text);
  if (!mantissa || !text.empty()) return std::nullopt;
  if (*exponent < 2 || *exponent > 8 || *mantissa < 1 || *mantissa > 23) return std::nullopt;
  return Format{*exponent, *mantissa};
}

}  // namespace binade::formats
