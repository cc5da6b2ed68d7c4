// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/parameters.h"

#include "engine/lessons/figure_kinds.h"
#include "engine/lessons/figure_parts.h"
#include "engine/lessons/split_text.h"
#include "engine/numbers/parse_number.h"
#include "engine/policy/near_name.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace binade::lessons {

namespace {

using Parsed = std::variant<Parameters::Value, NotAValue>;

std::string quoted(std::string_view text) {
  return '"' + std::string(text) + '"';
}

std::variant<double, NotAValue> parse_one(const ParameterKind& kind, std::string_view text) {
  const auto number = numbers::parse_double(text);
  if (const auto* wrong = std::get_if<numbers::NotANumber>(&number)) return NotAValue{wrong->message, wrong->hint};
  const double value = std::get<double>(number);
  const std::string range = number_text(kind.low) + " to " + number_text(kind.high);
  if (!(value >= kind.low && value <= kind.high)) {
    return NotAValue{quoted(kind.name) + " is " + std::string(text) + '.', "Write a number from " + range + '.'};
  }
  if (kind.type == ParameterType::kCount && value != std::floor(value)) {
    return NotAValue{quoted(kind.name) + " is " + std::string(text) + '.', "Write a whole number from " + range + '.'};
  }
  return value;
}

/// The count in `4x0.5`; empty for a number, which may begin with `0x`.
std::optional<std::size_t> repeats(std::string_view text, std::string_view& rest) {
  const std::size_t x = text.find('x');
  if (x == std::string_view::npos || text.front() == '0') return std::nullopt;
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + x, count);
  if (error != std::errc() || end != text.data() + x) return std::nullopt;
  rest = text.substr(x + 1);
  return count;
}

NotAValue wrong_length(const ParameterKind& kind, std::size_t length, const std::string& what) {
  const std::string allowed = kind.fewest == kind.most
                                  ? std::to_string(kind.most)
                                  : std::to_string(kind.fewest) + " to " + std::to_string(kind.most);
  return {quoted(kind.name) + " has " + std::to_string(length) + ' ' + what + '.',
          kind.most == 1 ? "Write one." : "Write " + allowed + ", with spaces between them."};
}

Parsed parse_list(const ParameterKind& kind, std::string_view text) {
  std::vector<double> values;
  for (const std::string_view word : words_of(text)) {
    std::string_view one = word;
    const std::size_t times = repeats(word, one).value_or(1);
    const auto value = parse_one(kind, one);
    if (const auto* wrong = std::get_if<NotAValue>(&value)) return *wrong;
    if (times > kind.most || values.size() + times > kind.most) {
      return wrong_length(kind, values.size() + times, "numbers");
    }
    values.insert(values.end(), times, std::get<double>(value));
  }
  if (values.size() < kind.fewest) return wrong_length(kind, values.size(), "numbers");
  return values;
}

Parsed parse_formats(const ParameterKind& kind, std::string_view text) {
  static const std::vector<std::string> names = {"float32", "tfloat32",      "bfloat16",
                                                 "float16", "float8_e4m3fn", "float8_e5m2"};
  std::vector<formats::Format> found;
  for (const std::string_view word : words_of(text)) {
    const std::optional<formats::Format> format = formats::parse(word);
    if (!format) {
      const std::string reason = formats::out_of_range(word);
      return NotAValue{
          quoted(word) + (reason.empty() ? " is no number format." : ' ' + reason + '.'),
          policy::did_you_mean(word, names) +
              "Formats are float32, tfloat32, bfloat16, float16, float8_e4m3fn, float8_e5m2 and e<E>m<M>."};
    }
    found.push_back(*format);
  }
  if (found.size() < kind.fewest || found.size() > kind.most) return wrong_length(kind, found.size(), "formats");
  return found;
}

}  // namespace

Parameters::Parameters(const FigureKind& kind) {
  for (const ParameterKind& each : kind.parameters) {
    set(std::string(each.name), std::get<Value>(parse_parameter(each, each.preset)));
  }
}

double Parameters::number(std::string_view name) const {
  return std::get<double>(values_.find(name)->second);
}

int Parameters::count(std::string_view name) const {
  return static_cast<int>(number(name));
}

const std::vector<double>& Parameters::numbers(std::string_view name) const {
  return std::get<std::vector<double>>(values_.find(name)->second);
}

const std::vector<formats::Format>& Parameters::formats(std::string_view name) const {
  return std::get<std::vector<formats::Format>>(values_.find(name)->second);
}

const formats::Format& Parameters::format(std::string_view name) const {
  return formats(name).front();
}

std::variant<Parameters::Value, NotAValue> parse_parameter(const ParameterKind& kind, std::string_view text) {
  switch (kind.type) {
    case ParameterType::kNumbers:
      return parse_list(kind, text);
    case ParameterType::kFormat:
    case ParameterType::kFormats:
      return parse_formats(kind, text);
    case ParameterType::kNumber:
    case ParameterType::kCount:
      break;
  }
  const auto one = parse_one(kind, text);
  if (const auto* wrong = std::get_if<NotAValue>(&one)) return *wrong;
  return Parameters::Value(std::get<double>(one));
}

}  // namespace binade::lessons
