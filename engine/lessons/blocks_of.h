// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/lesson.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <variant>
#include <vector>

namespace binade::lessons {

/// All blocks of one kind in the sections before `end`, in the order of the lesson. Valid as long as the lesson.
template <class Kind>
std::vector<const Kind*> blocks_of(const Lesson& lesson, std::size_t end = std::numeric_limits<std::size_t>::max()) {
  std::vector<const Kind*> found;
  for (std::size_t i = 0; i < std::min(end, lesson.sections.size()); ++i) {
    for (const Block& block : lesson.sections[i].blocks) {
      if (const auto* wanted = std::get_if<Kind>(&block)) found.push_back(wanted);
    }
  }
  return found;
}

}  // namespace binade::lessons
