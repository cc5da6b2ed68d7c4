// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/differences.h"

#include "engine/policy/finding_text.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace binade::policy {

namespace {

bool same_calls(const SiteRule& a, const SiteRule& b) {
  return a.match == b.match && a.call == b.call;
}

/// For each rule of `first`, the rule of `second` with the same match and call; -1 if there is none.
struct Counterparts {
  std::vector<int> of_first;
  std::vector<bool> moved;  ///< by rule of `first`: its counterpart is not in the common order
};

/// Pairs the longest common subsequence of both lists; a common start and end are paired first.
void match_in_order(const std::vector<SiteRule>& first, const std::vector<SiteRule>& second, std::vector<int>& pairs) {
  std::size_t start = 0;
  std::size_t a = first.size();
  std::size_t b = second.size();
  for (; start < a && start < b && same_calls(first[start], second[start]); ++start) {
    pairs[start] = static_cast<int>(start);
  }
  for (; a > start && b > start && same_calls(first[a - 1], second[b - 1]); --a, --b) {
    pairs[a - 1] = static_cast<int>(b - 1);
  }
  const std::size_t width = b - start + 1;
  std::vector<std::uint32_t> longest((a - start + 1) * width);  // length of the longest common subsequence of
                                                                // first[i..] and second[j..]
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
    return longest[(i - start) * width + (j - start)];
  };
  for (std::size_t i = a; i-- > start;) {
    for (std::size_t j = b; j-- > start;) {
      at(i, j) = same_calls(first[i], second[j]) ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    }
  }
  for (std::size_t i = start, j = start; i < a && j < b;) {
    if (same_calls(first[i], second[j])) {
      pairs[i++] = static_cast<int>(j++);
    } else {
      at(i + 1, j) >= at(i, j + 1) ? ++i : ++j;
    }
  }
}

Counterparts counterparts(const std::vector<SiteRule>& first, const std::vector<SiteRule>& second) {
  Counterparts found{std::vector<int>(first.size(), -1), std::vector<bool>(first.size(), false)};
  match_in_order(first, second, found.of_first);
  std::vector<bool> taken(second.size(), false);
  for (const int other : found.of_first) {
    if (other >= 0) taken[static_cast<std::size_t>(other)] = true;
  }
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (found.of_first[i] >= 0) continue;
    for (std::size_t j = 0; j < second.size(); ++j) {
      if (taken[j] || !same_calls(first[i], second[j])) continue;
      found.of_first[i] = static_cast<int>(j);
      found.moved[i] = taken[j] = true;
      break;
    }
  }
  return found;
}

std::string place_of_rule(const SiteRule& rule) {
  return "sites: " + rule.match + (rule.call ? ", call " + std::to_string(*rule.call) : "");
}

std::string text_of_rule(const std::vector<SiteRule>& rules, std::size_t index) {
  const SiteRule& rule = rules[index];
  std::string text = "[" + std::to_string(index) + "] " + rule_text(rule);
  if (!rule.why.empty()) text.append("  -- ").append(rule.why);
  return text;
}

class Comparison {
 public:
  Comparison(const Policy& first, const Policy& second) : first_(first), second_(second) {}

  std::vector<Difference> run() {
    note("name", first_.name, second_.name);
    note("behaviour", name(first_.behaviour), name(second_.behaviour));
    note("base", name(first_.base), name(second_.base));
    note("low", formats::name(first_.low), formats::name(second_.low));
    note("execution", name(first_.execution), name(second_.execution));
    ops();
    sites();
    return std::move(found_);
  }

 private:
  void note(std::string place, std::string first, std::string second) {
    if (first != second) found_.push_back({std::move(place), std::move(first), std::move(second)});
  }

  void ops() {
    const auto said = [](const Policy& policy, const std::string& key) {
      const auto change = policy.ops.find(key);
      return change == policy.ops.end() ? std::string() : to_text(change->second);
    };
    auto all = first_.ops;
    all.insert(second_.ops.begin(), second_.ops.end());
    for (const auto& [key, change] : all) note("ops[\"" + key + "\"]", said(first_, key), said(second_, key));
  }

  void sites() {
    const Counterparts pairs = counterparts(first_.sites, second_.sites);
    std::vector<bool> spoken_of(second_.sites.size(), false);
    for (std::size_t i = 0; i < first_.sites.size(); ++i) {
      const SiteRule& rule = first_.sites[i];
      if (pairs.of_first[i] < 0) {
        note(place_of_rule(rule), text_of_rule(first_.sites, i), "");
        continue;
      }
      const auto other = static_cast<std::size_t>(pairs.of_first[i]);
      spoken_of[other] = true;
      if (!pairs.moved[i] && rule == second_.sites[other]) continue;
      note(place_of_rule(rule), text_of_rule(first_.sites, i),
           text_of_rule(second_.sites, other) + (pairs.moved[i] ? ", moved" : ""));
    }
    for (std::size_t i = 0; i < second_.sites.size(); ++i) {
      if (!spoken_of[i]) note(place_of_rule(second_.sites[i]), "", text_of_rule(second_.sites, i));
    }
  }

  const Policy& first_;
  const Policy& second_;
  std::vector<Difference> found_;
};

}  // namespace

std::vector<Difference> differences(const Policy& first, const Policy& second) {
  return Comparison(first, second).run();
}

}  // namespace binade::policy
