// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/facts.h"

#include "engine/lessons/split_text.h"
#include "engine/numbers/parse_number.h"
#include "engine/policy/near_name.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace binade::lessons {

namespace {

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  });
}

/// The `figure.fact` of a text that begins with `{figure.fact}`; empty for other texts, such as braces of code.
std::string_view reference_at(std::string_view text) {
  const std::size_t end = text.find('}');
  if (text.empty() || text.front() != '{' || end == std::string_view::npos) return {};
  const std::string_view inner = text.substr(1, end - 1);
  const std::size_t dot = inner.find('.');
  if (dot == std::string_view::npos || !is_name(inner.substr(0, dot)) || !is_name(inner.substr(dot + 1))) return {};
  return inner;
}

}  // namespace

const Fact* Facts::find(std::string_view reference, std::size_t line, Problems& problems) const {
  const std::size_t dot = reference.find('.');
  const std::string_view figure = reference.substr(0, dot);
  const std::string_view name = reference.substr(dot + 1);
  if (unread_.contains(figure)) return nullptr;
  std::vector<std::string> names;
  const auto known = figures_.find(figure);
  if (known == figures_.end()) {
    for (const auto& each : figures_) names.push_back(each.first);
    problems.add(line, "This lesson has no figure \"" + std::string(figure) + "\".",
                 policy::did_you_mean(figure, names) + "A figure's name is its block's \"name:\".");
    return nullptr;
  }
  if (const Fact* fact = known->second.data.fact(name)) return fact;
  for (const Fact& each : known->second.data.facts) names.push_back(each.name);
  // Some figures have fifty facts: the guide lists them, with their meaning.
  constexpr std::size_t kMostNear = 3;
  problems.add(line, "The figure \"" + std::string(figure) + "\" has no fact \"" + std::string(name) + "\".",
               policy::did_you_mean(name, names, kMostNear) + "The guide, docs/guide/lessons.md#" + known->second.kind +
                   ", lists the facts of the kind \"" + known->second.kind + "\".");
  return nullptr;
}

std::string Facts::fill(std::string_view text, std::size_t line, Problems& problems) const {
  std::string filled;
  while (!text.empty()) {
    const std::size_t brace = text.find('{');
    filled += text.substr(0, brace);
    if (brace == std::string_view::npos) break;
    text.remove_prefix(brace);
    const std::string_view reference = reference_at(text);
    if (reference.empty()) {
      filled += '{';
      text.remove_prefix(1);
      continue;
    }
    if (const Fact* fact = find(reference, line, problems)) filled += fact->text;
    text.remove_prefix(reference.size() + 2);
  }
  return filled;
}

std::optional<Facts::Number> Facts::number(std::string_view text, std::size_t line, Problems& problems) const {
  const std::string_view reference = reference_at(text);
  if (!reference.empty() && reference.size() + 2 == text.size()) {
    const Fact* fact = find(reference, line, problems);
    return fact ? std::optional(Number{fact->value, fact->text}) : std::nullopt;
  }
  const auto number = numbers::parse_double(text);
  if (const auto* value = std::get_if<double>(&number)) return Number{*value, std::string(text)};
  const auto& wrong = std::get<numbers::NotANumber>(number);
  problems.add(line, wrong.message, wrong.hint);
  return std::nullopt;
}

}  // namespace binade::lessons
