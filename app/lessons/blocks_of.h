// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/lesson.h"

#include <variant>
#include <vector>

namespace binade::app {

/// All blocks of one kind, in the order of the lesson. Valid as long as the lesson.
template <class Kind>
std::vector<const Kind*> blocksOf(const lessons::Lesson& lesson) {
  std::vector<const Kind*> found;
  for (const lessons::Section& section : lesson.sections) {
    for (const lessons::Block& block : section.blocks) {
      if (const auto* wanted = std::get_if<Kind>(&block)) found.push_back(wanted);
    }
  }
  return found;
}

}  // namespace binade::app
