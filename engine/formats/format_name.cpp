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

constexpr std::array<std::pair<std::string_view, Format>, 3> kElements{{
    {"float6_e2m3fn", kFloat6E2M3fn},
    {"float6_e3m2fn", kFloat6E3M2fn},
    {"float4_e2m1fn", kFloat4E2M1fn},
}};

/// Removes a number of one or two digits, without a leading zero, from the start of `text`.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || length > 2 || (text[0] == '0' && length > 1) || text[0] == '-') return std::nullopt;
  text.remove_prefix(length);
  return number;
}

/// Bits of `e<E>m<M>`, whether in range or not.
std::optional<Format> parse_bits(std::string_view text) {
  if (!text.starts_with('e')) return std::nullopt;
  text.remove_prefix(1);
  const std::optional<int> exponent = take_number(text);
  if (!exponent || !text.starts_with('m')) return std::nullopt;
  text.remove_prefix(1);
  const std::optional<int> mantissa = take_number(text);
  if (!mantissa || !text.empty()) return std::nullopt;
  return Format{*exponent, *mantissa};
}

constexpr int kExponentBits[] = {2, 8};
constexpr int kMantissaBits[] = {1, 23};

bool is_within(int bits, const int (&range)[2]) {
  return bits >= range[0] && bits <= range[1];
}

std::string complaint(int bits, const char* what, const int (&range)[2]) {
  return "has " + std::to_string(bits) + " " + what + (bits == 1 ? " bit" : " bits") + ", where " +
         std::to_string(range[0]) + " to " + std::to_string(range[1]) + " are possible";
}

}  // namespace

std::string name(const Format& format) {
  for (const auto& [text, named] : kNamed) {
    if (named == format) return std::string(text);
  }
  for (const auto& [text, element] : kElements) {
    if (element == format) return std::string(text);
  }
  return "e" + std::to_string(format.exponent_bits) + "m" + std::to_string(format.mantissa_bits) +
         (format.finite_only ? "fn" : "");
}

std::optional<Format> parse(std::string_view text) {
  for (const auto& [known, format] : kNamed) {
    if (known == text) return format;
  }
  const std::optional<Format> custom = parse_bits(text);
  if (!custom || !is_within(custom->exponent_bits, kExponentBits) || !is_within(custom->mantissa_bits, kMantissaBits)) {
    return std::nullopt;
  }
  return custom;
}

std::string out_of_range(std::string_view text) {
  const std::optional<Format> bits = parse_bits(text);
  if (!bits) return {};
  if (!is_within(bits->exponent_bits, kExponentBits)) return complaint(bits->exponent_bits, "exponent", kExponentBits);
  if (!is_within(bits->mantissa_bits, kMantissaBits)) return complaint(bits->mantissa_bits, "mantissa", kMantissaBits);
  return {};
}

}  // namespace binade::formats
