// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/python_value.h"

#include <charconv>
#include <string>
#include <utility>

namespace binade::targets {

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool in_name(char c) {
  return starts_name(c) || (c >= '0' && c <= '9');
}

std::optional<LiteralJson> LiteralReader::value(int depth) {
  constexpr int kDeepest = 16;
  skip_space();
  if (rest_.empty() || depth > kDeepest) return std::nullopt;
  const char c = rest_.front();
  if (c == '"' || c == '\'') return quoted(c);
  if (c == '[') return items(']', depth);
  if (c == '(') return items(')', depth);
  if (c == '{') return braces(depth);
  if (starts_name(c)) return word();
  return number();
}

bool LiteralReader::ends_line() {
  while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t' || rest_.front() == '\r')) drop();
  return rest_.empty() || rest_.front() == '\n' || rest_.front() == '#';
}

bool LiteralReader::ends_argument() {
  skip_space();
  return rest_.starts_with(',') || rest_.starts_with(')');
}

bool LiteralReader::take(std::string_view text) {
  if (!rest_.starts_with(text)) return false;
  drop(text.size());
  return true;
}

void LiteralReader::skip_space() {
  while (!rest_.empty()) {
    const char c = rest_.front();
    if (c == '#') {
      const std::size_t end = rest_.find('\n');
      rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end);
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      drop();
    } else {
      return;
    }
  }
}

std::optional<LiteralJson> LiteralReader::quoted(char quote) {
  drop();
  std::string text;
  while (!rest_.empty() && rest_.front() != '\n') {
    const char c = rest_.front();
    drop();
    if (c == quote) return LiteralJson(std::move(text));
    if (c != '\\') {
      text += c;
      continue;
    }
    if (rest_.empty()) return std::nullopt;
    const char escaped = rest_.front();
    drop();
    // A pattern keeps its backslashes, as in Python: "\d" is two characters.
    if (escaped == 'n') {
      text += '\n';
    } else if (escaped == 't') {
      text += '\t';
    } else if (escaped == '\\' || escaped == '\'' || escaped == '"') {
      text += escaped;
    } else {
      text += '\\';
      text += escaped;
    }
  }
  return std::nullopt;
}

std::optional<LiteralJson> LiteralReader::raw() {
  const char quote = rest_.front();
  drop();
  const std::size_t end = rest_.find_first_of(std::string{quote, '\n'});
  if (end == std::string_view::npos || rest_[end] != quote) return std::nullopt;
  LiteralJson text = std::string(rest_.substr(0, end));
  drop(end + 1);
  return text;
}

std::optional<LiteralJson> LiteralReader::items(char close, int depth) {
  drop();
  return items_after(LiteralJson::array(), close, depth);
}

std::optional<LiteralJson> LiteralReader::items_after(LiteralJson list, char close, int depth) {
  const char end[] = {close, '\0'};
  while (true) {
    skip_space();
    if (take(end)) return list;
    std::optional<LiteralJson> item = value(depth + 1);
    if (!item) return std::nullopt;
    list.push_back(std::move(*item));
    skip_space();
    if (take(",")) continue;
    if (take(end)) return list;
    return std::nullopt;
  }
}

std::optional<LiteralJson> LiteralReader::braces(int depth) {
  drop();
  skip_space();
  if (take("}")) return LiteralJson::object();
  std::optional<LiteralJson> first = value(depth + 1);
  if (!first) return std::nullopt;
  skip_space();
  if (take(":")) return dict_after(*first, depth);
  LiteralJson list = LiteralJson::array({std::move(*first)});
  if (take("}")) return list;
  if (!take(",")) return std::nullopt;
  return items_after(std::move(list), '}', depth);
}

std::optional<LiteralJson> LiteralReader::dict_after(std::optional<LiteralJson> key, int depth) {
  LiteralJson dict = LiteralJson::object();
  while (key && key->is_string()) {
    std::optional<LiteralJson> item = value(depth + 1);
    if (!item) return std::nullopt;
    dict[key->get<std::string>()] = std::move(*item);
    skip_space();
    const bool more = take(",");
    skip_space();
    if (take("}")) return dict;
    if (!more) return std::nullopt;
    key = value(depth + 1);
    skip_space();
    if (!take(":")) return std::nullopt;
  }
  return std::nullopt;
}

std::optional<LiteralJson> LiteralReader::word() {
  if (rest_.starts_with("r\"") || rest_.starts_with("r'")) {
    drop();
    return raw();
  }
  for (const char* infinity : {"float(\"inf\")", "float('inf')"}) {
    if (take(infinity)) return LiteralJson("inf");
  }
  if (take("set()")) return LiteralJson::array();
  std::size_t size = 0;
  while (size < rest_.size() && in_name(rest_[size])) ++size;
  const std::string_view name = rest_.substr(0, size);
  drop(size);
  if (name == "True") return LiteralJson(true);
  if (name == "False") return LiteralJson(false);
  if (name == "None") return LiteralJson(nullptr);
  return std::nullopt;
}

std::optional<LiteralJson> LiteralReader::number() {
  double value = 0;
  const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
  if (error != std::errc()) return std::nullopt;
  drop(static_cast<std::size_t>(end - rest_.data()));
  return LiteralJson(value);
}

}  // namespace binade::targets
