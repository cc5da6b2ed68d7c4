// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/near_name.h"

#include <algorithm>

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

std::vector<std::string> nearest_names(std::string_view text, std::span<const std::string> candidates,
                                       std::size_t most) {
  if (most == 0 || text.empty() || text.size() > kLongest) return {};
  struct Near {
    std::size_t edits;
    const std::string* name;
  };
  std::vector<Near> near;
  std::size_t limit = std::clamp<std::size_t>(text.size() / 3, 1, kMostEdits) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t difference = std::max(candidate.size(), text.size()) - std::min(candidate.size(), text.size());
    if (difference >= limit) continue;
    const std::size_t count = edits(text, candidate, limit);
    if (count >= limit) continue;
    const auto place = std::upper_bound(near.begin(), near.end(), count,
                                        [](std::size_t fewer, const Near& each) { return fewer < each.edits; });
    near.insert(place, {count, &candidate});
    if (near.size() > most) near.pop_back();
    if (near.size() == most) limit = near.back().edits;
  }
  std::vector<std::string> names;
  for (const Near& each : near) names.push_back(*each.name);
  return names;
}

std::optional<std::string> nearest_name(std::string_view text, std::span<const std::string> candidates) {
  const std::vector<std::string> near = nearest_names(text, candidates, 1);
  return near.empty() ? std::nullopt : std::optional(near.front());
}

std::string did_you_mean(std::string_view text, std::span<const std::string> candidates, std::size_t most) {
  const std::vector<std::string> near = nearest_names(text, candidates, most);
  if (near.empty()) return {};
  std::string question = "Did you mean \"" + near.front();
  for (std::size_t i = 1; i < near.size(); ++i) question += (i + 1 < near.size() ? "\", \"" : "\" or \"") + near[i];
  return question + "\"? ";
}

}  // namespace binade::policy
