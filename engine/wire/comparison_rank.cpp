// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/comparison_rank.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace binade::wire {

bool enlarges(const SiteDifference& site) {
  constexpr double kTimes = 8;
  constexpr double kNotable = 0.01;
  if (!(site.arrived > 0) || std::isinf(site.arrived)) return false;  // an infinity is passed on, not enlarged
  return site.inherited >= kNotable && site.inherited >= kTimes * site.arrived;
}

double weight(const SiteDifference& site) {
  const double own = std::max({site.added, site.becomes, site.gradient_added.value_or(0)});
  return enlarges(site) ? std::max(own, site.inherited) : own;
}

std::vector<SiteDifference> ranked(const std::vector<SiteDifference>& sites) {
  std::vector<SiteDifference> order;
  std::copy_if(sites.begin(), sites.end(), std::back_inserter(order),
               [](const SiteDifference& site) { return weight(site) > 0; });
  std::stable_sort(order.begin(), order.end(),
                   [](const SiteDifference& a, const SiteDifference& b) { return weight(a) > weight(b); });
  return order;
}

const SiteDifference* origin_of(const std::vector<SiteDifference>& sites, int site) {
  const SiteDifference* origin = nullptr;
  for (const SiteDifference& each : sites) {
    if (each.becomes_at != site) continue;
    if (origin == nullptr || each.becomes > origin->becomes) origin = &each;
  }
  return origin;
}

bool not_float32(const Float32Comparison& comparison) {
  return std::any_of(comparison.reference.begin(), comparison.reference.end(),
                     [](const ReferenceNote& note) { return note.kind != ReferenceNote::Kind::kLiftedCast; });
}

}  // namespace binade::wire
