// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace binade::files {

inline std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Parses a text that consists of one number.
template <class T>
std::optional<T> number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

inline std::optional<std::int64_t> truth(std::string_view text) {
  if (text == "true" || text == "True" || text == "TRUE") return 1;
  if (text == "false" || text == "False" || text == "FALSE") return 0;
  return std::nullopt;
}

/// Returns whether a text is a number outside the range of float64.
inline bool is_beyond_float64(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc::result_out_of_range && end == text.data() + text.size();
}

/// Parse a field of a column of integers, and of real numbers.
inline std::optional<std::int64_t> whole_number(std::string_view text) {
  const auto value = number<std::int64_t>(text);
  return value ? value : truth(text);
}
inline std::optional<double> real_number(std::string_view text) {
  if (const auto value = number<double>(text)) return value;
  const auto value = truth(text);
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

}  // namespace binade::files
