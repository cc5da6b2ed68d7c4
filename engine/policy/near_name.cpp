// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/near_name.h"

#include <algorithm>
#include <vector>

namespace binade::policy {

namespace {

constexpr std::size_t kMostEdits = 4;
constexpr std::size_t kLongest = 256;  // longer texts are not misspelt names

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Number of insertions, deletions, replacements and swaps of neighbours from `a` to `b`; exact only below `limit`.
std::size_t edits(std::string_view a, std::string_view b, std::size_t limit) {
  // Names in one model often share their start and end.
  while (!a.empty() && !b.empty() && lower(a.front()) == lower(b.front())) {
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  while (!a.empty() && !b.empty() && lower(a.back()) == lower(b.back())) {
    a.remove_suffix(1);
    b.remove_suffix(1);
  }
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0u : 1u)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    // A swap refers two rows back, so the search ends only when two consecutive rows reach the limit.
    if (std::min(*std::min_element(row.begin(), row.end()), *std::min_element(above.begin(), above.end())) >= limit) {
      return limit;
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view text, std::span<const std::string> candidates) {
  if (text.empty() || text.size() > kLongest) return std::nullopt;
  const std::string* best = nullptr;
  std::size_t fewest = std::clamp<std::size_t>(text.size() / 3, 1, kMostEdits) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t difference = std::max(candidate.size(), text.size()) - std::min(candidate.size(), text.size());
    if (difference >= fewest) continue;
    const std::size_t count = edits(text, candidate, fewest);
    if (count < fewest) {
      fewest = count;
      best = &candidate;
    }
  }
  return best != nullptr ? std::optional(*best) : std::nullopt;
}

std::string did_you_mean(std::string_view text, std::span<const std::string> candidates) {
  const std::optional<std::string> near = nearest_name(text, candidates);
  return near ? "Did you mean \"" + *near + "\"? " : std::string();
}

}  // namespace binade::policy
