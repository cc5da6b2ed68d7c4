// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/compute_figure.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace binade::lessons {

FigureData compute(const FigureKind& kind, const Parameters& parameters, std::optional<double> slider) {
  if (!kind.has_slider()) return kind.compute(parameters);
  const SliderKind& moved = kind.slider;
  const auto position = [&moved](const Parameters& where) {
    const double value = where.number(moved.parameter);
    return moved.exponent ? std::log2(value) : value;
  };
  // A lesson may set a value beyond the ends.
  const double low = std::min(moved.low, std::floor(position(parameters)));
  const double high = std::max(moved.high, std::ceil(position(parameters)));
  Parameters at = parameters;
  if (slider) {
    const double step = std::round(std::clamp(*slider, low, high));
    at.set(std::string(moved.parameter), moved.exponent ? std::ldexp(1.0, static_cast<int>(step)) : step);
  }
  FigureData data = kind.compute(at);
  data.slider = SliderState{
      .label = std::string(moved.label), .low = low, .high = high, .value = position(at), .exponent = moved.exponent};
  return data;
}

}  // namespace binade::lessons
