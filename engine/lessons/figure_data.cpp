// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/figure_data.h"

#include <algorithm>

namespace binade::lessons {

const Fact* FigureData::fact(std::string_view name) const {
  const auto found = std::find_if(facts.begin(), facts.end(), [&](const Fact& each) { return each.name == name; });
  return found == facts.end() ? nullptr : &*found;
}

}  // namespace binade::lessons
