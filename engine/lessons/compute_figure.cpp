// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/compute_figure.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace binade::lessons {

FigureData compute(const FigureKind& kind, const Parameters& parameters, std::optional<double> slider) {
  if (!kind.has_slider()) return kind.compute(parameters);
  const SliderKind& moved = kind.slider;
  Parameters at = parameters;
  if (slider) {
    const double step = std::round(std::clamp(*slider, moved.low, moved.high));
    at.set(std::string(moved.parameter), moved.exponent ? std::ldexp(1.0, static_cast<int>(step)) : step);
  }
  FigureData data = kind.compute(at);
  const double value = at.number(moved.parameter);
  data.slider = SliderState{.label = std::string(moved.label),
                            .low = moved.low,
                            .high = moved.high,
                            .value = moved.exponent ? std::log2(value) : value,
                            .exponent = moved.exponent};
  return data;
}

}  // namespace binade::lessons
