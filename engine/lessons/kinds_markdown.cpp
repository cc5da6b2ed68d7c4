// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/figure_kinds.h"
#include "engine/lessons/figure_parts.h"

#include <string>

namespace binade::lessons {

namespace {

std::string code(std::string_view text) {
  return '`' + std::string(text) + '`';
}

std::string entries_text(const ParameterKind& parameter, const std::string& what) {
  const std::string most = std::to_string(parameter.most);
  if (parameter.fewest == parameter.most) return most + ' ' + what;
  return std::to_string(parameter.fewest) + " to " + most + ' ' + what;
}

std::string range_text(const ParameterKind& parameter) {
  const std::string range = number_text(parameter.low) + " to " + number_text(parameter.high);
  switch (parameter.type) {
    case ParameterType::kNumber:
      return range;
    case ParameterType::kCount:
      return "whole, " + range;
    case ParameterType::kNumbers:
      return entries_text(parameter, "numbers, each ") + range;
    case ParameterType::kFormat:
      return "a format";
    case ParameterType::kFormats:
      return entries_text(parameter, "formats");
  }
  return {};
}

}  // namespace

std::string kinds_markdown() {
  std::string text;
  for (const FigureKind& kind : figure_kinds()) {
    text += "### " + std::string(kind.name) + "\n\n" + std::string(kind.doc) + '\n';
    if (!kind.parameters.empty()) text += "\n| parameter | value | preset | meaning |\n| --- | --- | --- | --- |\n";
    for (const ParameterKind& each : kind.parameters) {
      text += "| " + code(each.name) + " | " + range_text(each) + " | " + code(each.preset) + " | " +
              std::string(each.doc) + " |\n";
    }
    if (kind.has_slider()) {
      const std::string base = kind.slider.exponent ? "2^" : "";
      text += "\nThe slider *" + std::string(kind.slider.label) + "* moves " + code(kind.slider.parameter) + " from " +
              base + number_text(kind.slider.low) + " to " + base + number_text(kind.slider.high) + ".\n";
    }
    text += "\n| fact | meaning |\n| --- | --- |\n";
    for (const FactKind& fact : kind.facts) text += "| " + code(fact.name) + " | " + std::string(fact.doc) + " |\n";
    text += '\n';
  }
  text.pop_back();
  return text;
}

}  // namespace binade::lessons
