// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/problems.h"

#include <algorithm>

namespace binade::lessons {

std::string Problem::text() const {
  return file + ':' + std::to_string(line) + ": " + message + (hint.empty() ? "" : ' ' + hint);
}

std::vector<Problem> Problems::sorted() && {
  std::stable_sort(all_.begin(), all_.end(), [](const Problem& a, const Problem& b) { return a.line < b.line; });
  return std::move(all_);
}

}  // namespace binade::lessons
