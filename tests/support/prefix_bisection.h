// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace binade::test {

/// What a bisection by prefix found, and how many tries it took.
struct PrefixBisection {
  std::vector<std::size_t> needed;  ///< positions in execution order, the last one first
  std::size_t tries = 0;
};

/// The usual way to find the op calls that need a higher format, as a baseline. The shortest prefix of the execution
/// order is bisected with which the policy holds. Its last op call is needed. With it fixed, the same is repeated,
/// until the fixed op calls suffice. `holds` receives whether each op call is raised. Nothing raised is known to fail,
/// and everything raised is known to hold; neither is tried.
inline PrefixBisection prefix_bisection(std::size_t calls, const std::function<bool(const std::vector<bool>&)>& holds) {
  PrefixBisection found;
  const auto with_prefix = [&](std::size_t size) {
    std::vector<bool> raised(calls, false);
    for (std::size_t i = 0; i < size; ++i) raised[i] = true;
    for (const std::size_t each : found.needed) raised[each] = true;
    ++found.tries;
    return holds(raised);
  };
  std::size_t works = calls;
  while (works > 0) {
    if (!found.needed.empty() && with_prefix(0)) break;
    std::size_t fails = 0;
    while (works - fails > 1) {
      const std::size_t middle = fails + (works - fails) / 2;
      (with_prefix(middle) ? works : fails) = middle;
    }
    found.needed.push_back(works - 1);
    --works;  // the prefix before the op call, which is fixed now, is known to hold
  }
  return found;
}

}  // namespace binade::test
