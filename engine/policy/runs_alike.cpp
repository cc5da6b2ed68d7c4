// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/runs_alike.h"

#include <algorithm>

namespace binade::policy {

bool runs_alike(Decision one, const Decision& other) {
  one.rule = other.rule;
  return one == other;
}

bool runs_alike(const Resolved& one, const Resolved& other) {
  if (one.base != other.base || one.behaviour != other.behaviour || one.low != other.low ||
      one.low_execution != other.low_execution || one.execution != other.execution || one.ops != other.ops)
    return false;
  return std::equal(one.sites.begin(), one.sites.end(), other.sites.begin(), other.sites.end(),
                    [](const Decision& a, const Decision& b) { return runs_alike(a, b); }) &&
         std::equal(one.calls.begin(), one.calls.end(), other.calls.begin(), other.calls.end(),
                    [](const auto& a, const auto& b) { return a.first == b.first && runs_alike(a.second, b.second); });
}

}  // namespace binade::policy
