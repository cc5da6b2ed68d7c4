// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/figure_data.h"
#include "engine/lessons/parameters.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace binade::lessons {

enum class ParameterType {
  kNumber,   ///< as numbers::parse_real reads it: `1e-5`, `2^-11`
  kCount,    ///< a whole number
  kNumbers,  ///< numbers with spaces between; `4x0.5` stands for four times 0.5
  kFormat,   ///< the name of a number format
  kFormats,  ///< names of formats with spaces between
};

struct ParameterKind {
  std::string_view name;
  ParameterType type = ParameterType::kNumber;
  std::string_view preset = {};  ///< the value of a figure that does not set it
  double low = 0;                ///< smallest allowed number
  double high = 0;               ///< largest allowed number
  std::size_t fewest = 1;        ///< entries of a list
  std::size_t most = 1;
  std::string_view doc = {};  ///< one sentence
};

/// A slider moves one parameter: to its value, or to 2 to the power of its value.
struct SliderKind {
  std::string_view label;
  std::string_view parameter;
  double low = 0;  ///< in whole steps
  double high = 0;
  bool exponent = false;
};

/// A named result of a figure. `FORMAT` in a name stands for each of the figure's formats, `N` for 1, 2, ….
struct FactKind {
  std::string_view name;
  std::string_view doc;  ///< one sentence or phrase
};

/// A kind of figure. All lists and documents of kinds follow from figure_kinds().
struct FigureKind {
  std::string_view name;
  std::string_view doc;  ///< one sentence
  std::vector<ParameterKind> parameters = {};
  SliderKind slider = {};  ///< without a label if the figure has none
  std::vector<FactKind> facts;
  FigureData (*compute)(const Parameters&) = nullptr;

  bool has_slider() const { return !slider.label.empty(); }
};

/// All kinds, in the order of the guide. Each `*_kind.cpp` defines one.
const std::vector<FigureKind>& figure_kinds();

/// Null for an unknown name.
const FigureKind* find_kind(std::string_view name);

const ParameterKind* find_parameter(const FigureKind& kind, std::string_view name);

/// The list of kinds for docs/guide, as Markdown: sentence, parameters with range and preset, slider, facts.
std::string kinds_markdown();

}  // namespace binade::lessons
