// SPDX-License-Identifier: Apache-2.0
#include "engine/search/needed_set.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace binade::search {

namespace {

Changes together(const Changes& a, const Changes& b) {
  Changes all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

bool is_part_of(const Changes& part, const Changes& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

}  // namespace

Changes difference(const Changes& a, const Changes& b) {
  Changes rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
  return rest;
}

NeededSet::NeededSet(std::size_t count, bool all_hold, Holds holds, std::size_t set_apart)
    : holds_(std::move(holds)), belief_(count, set_apart), kept_(count), failing_{Changes()}, proven_(all_hold) {
  std::iota(kept_.begin(), kept_.end(), std::size_t{0});
  known_.suspects = kept_;  // since nothing at all fails
}

void NeededSet::find() {
  while (true) {
    const Changes open = difference(kept_, known_.needed);
    if (open.empty()) break;
    Changes& suspects = known_.suspects;
    if (suspects.size() == 1) {
      // Leaving it out made the policy fail only if the policy holds with it.
      if (!proven_ && !holds(kept_)) {
        hopeless_ = true;
        return;
      }
      known_.needed = together(known_.needed, suspects);
      suspects.clear();
      continue;
    }
    const Changes pool = belief_.pool(suspects.empty() ? open : suspects, known_);
    const Changes rest = difference(kept_, pool);
    if (!holds(rest)) {
      suspects = pool;
      continue;
    }
    kept_ = rest;
    known_.superfluous = together(known_.superfluous, pool);
    suspects = difference(suspects, pool);
  }
  smallest_ = true;
}

bool NeededSet::holds(const Changes& kept) {
  const bool fails =
      std::any_of(failing_.begin(), failing_.end(), [&kept](const Changes& each) { return is_part_of(kept, each); });
  if (fails) return false;
  if (holds_(kept)) {
    proven_ = true;
    return true;
  }
  failing_.push_back(kept);
  return false;
}

}  // namespace binade::search
