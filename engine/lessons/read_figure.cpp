// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/fields.h"
#include "engine/lessons/read_blocks.h"
#include "engine/policy/near_name.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace binade::lessons {

namespace {

bool is_figure_name(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return std::islower(static_cast<unsigned char>(c)) != 0 || std::isdigit(static_cast<unsigned char>(c)) != 0 ||
           c == '_' || c == '-';
  });
}

const FigureKind* needed_kind(const Field& field, Problems& problems) {
  if (const FigureKind* kind = find_kind(field.value)) return kind;
  std::vector<std::string> names;
  std::string all;
  for (const FigureKind& kind : figure_kinds()) {
    names.emplace_back(kind.name);
    all += (all.empty() ? "" : ", ") + std::string(kind.name);
  }
  problems.add(field.line, "There is no figure of kind \"" + field.value + "\".",
               policy::did_you_mean(field.value, names) + "Kinds are " + all + '.');
  return nullptr;
}

}  // namespace

std::string figure_name(const SourceBlock& block) {
  Problems ignored({});
  Fields fields(block, ignored);
  const Field* name = fields.take("name");
  return name ? name->value : std::string();
}

std::optional<Figure> read_figure(const SourceBlock& block, Problems& problems) {
  Fields fields(block, problems);
  const Field* name = fields.need("name", "name: sums");
  const Field* kind_name = fields.need("kind", "kind: sum");
  const Field* caption = fields.need("caption", "caption: One running sum per accumulator.");
  if (name && !is_figure_name(name->value)) {
    problems.add(name->line, "\"" + name->value + "\" cannot name a figure.",
                 "Use small letters, digits, - and _, without spaces.");
    name = nullptr;
  }
  const FigureKind* kind = kind_name ? needed_kind(*kind_name, problems) : nullptr;
  if (!kind) return std::nullopt;

  Figure figure;
  figure.kind = kind;
  figure.parameters = Parameters(*kind);
  figure.line = block.line;
  bool right = name && caption;
  std::vector<std::string> known = {"name", "kind", "caption"};
  for (const ParameterKind& parameter : kind->parameters) {
    known.emplace_back(parameter.name);
    const Field* field = fields.take(parameter.name);
    if (!field) continue;
    auto value = parse_parameter(parameter, field->value);
    if (const auto* wrong = std::get_if<NotAValue>(&value)) {
      problems.add(field->line, wrong->message, wrong->hint);
      right = false;
    } else {
      figure.parameters.set(std::string(parameter.name), std::get<Parameters::Value>(std::move(value)));
    }
  }
  fields.report_rest(known);
  if (!right) return std::nullopt;
  figure.name = name->value;
  figure.caption = caption->value;
  return figure;
}

}  // namespace binade::lessons
