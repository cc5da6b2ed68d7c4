// SPDX-License-Identifier: Apache-2.0
#include "tests/lessons/computed.h"

#include "engine/lessons/compute_figure.h"

#include <QtGlobal>

namespace binade::test {

namespace {

const lessons::Fact& needed(const lessons::FigureData& data, std::string_view name) {
  const lessons::Fact* found = data.fact(name);
  if (!found) qFatal("no fact %s", std::string(name).c_str());
  return *found;
}

}  // namespace

lessons::FigureData computed(std::string_view kind_name,
                             std::initializer_list<std::pair<std::string_view, std::string_view>> given,
                             std::optional<double> slider) {
  const lessons::FigureKind* kind = lessons::find_kind(kind_name);
  if (!kind) qFatal("no kind %s", std::string(kind_name).c_str());
  lessons::Parameters parameters(*kind);
  for (const auto& [name, text] : given) {
    const lessons::ParameterKind* parameter = lessons::find_parameter(*kind, name);
    if (!parameter) qFatal("no parameter %s", std::string(name).c_str());
    const auto value = lessons::parse_parameter(*parameter, text);
    if (const auto* wrong = std::get_if<lessons::NotAValue>(&value)) qFatal("%s", wrong->message.c_str());
    parameters.set(std::string(name), std::get<lessons::Parameters::Value>(value));
  }
  return lessons::compute(*kind, parameters, slider);
}

double fact(const lessons::FigureData& data, std::string_view name) {
  return needed(data, name).value;
}

std::string fact_text(const lessons::FigureData& data, std::string_view name) {
  return needed(data, name).text;
}

}  // namespace binade::test
