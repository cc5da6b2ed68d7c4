// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/overlap_findings.h"

#include "engine/policy/finding_text.h"
#include "engine/policy/rule_text.h"

#include <algorithm>
#include <set>
#include <string>

namespace binade::policy {

namespace {

using Severity = Finding::Severity;

bool same_calls(const SiteRule& a, const SiteRule& b) {
  return a.match == b.match && a.call == b.call;
}

bool same_outcome(const SiteRule& a, const SiteRule& b) {
  return a.format == b.format && a.backward == b.backward && a.execution == b.execution && a.overflow == b.overflow;
}

/// Index of the last later rule with the same match and call as `rule`; -1 if there is none.
int repeated_by(const Policy& policy, std::size_t rule) {
  for (std::size_t later = policy.sites.size() - 1; later > rule; --later) {
    if (same_calls(policy.sites[rule], policy.sites[later])) return static_cast<int>(later);
  }
  return -1;
}

Finding repetition(const Policy& policy, int earlier, int later, const std::string& site) {
  const SiteRule& lost = policy.sites[static_cast<std::size_t>(earlier)];
  const SiteRule& won = policy.sites[static_cast<std::size_t>(later)];
  if (same_outcome(lost, won)) {
    return {Severity::kNote, later,
            place_of(policy, later) + ": is equivalent to " + short_place(earlier) + "; remove one of them."};
  }
  return {Severity::kWarning, later,
          place_of(policy, later) + ": sets " + rule_text(won) + " where " + short_place(earlier) + " sets " +
              rule_text(lost) + "; the later rule takes precedence, first at " + site + "."};
}

/// Index of the rule that wins at a site for what rule `index` matches: itself or a later one.
int winner_at(const Policy& policy, const Resolved& resolved, int index, int site) {
  const int whole = resolved.sites[static_cast<std::size_t>(site)].rule;
  const std::optional<int> call = policy.sites[static_cast<std::size_t>(index)].call;
  if (!call) return whole;
  const auto found = resolved.calls.find({site, *call});
  return found != resolved.calls.end() ? found->second.rule : whole;
}

std::string places_of(const std::set<int>& rules) {
  std::vector<std::string> places;
  for (const int rule : rules) places.push_back(short_place(rule));
  return (places.size() == 1 ? "the later rule " : "the later rules ") + first_of(places);
}

/// Finding on what later rules take over from a rule; empty if that is nothing or they agree with it.
std::optional<Finding> taken_over(const Policy& policy, const Resolved& resolved, int index,
                                  const std::vector<int>& matched, const SiteNames& names) {
  const SiteRule& rule = policy.sites[static_cast<std::size_t>(index)];
  std::set<int> winners;
  std::set<int> other_winners;
  std::vector<int> otherwise;  // sites where the winning rule requests something else
  std::size_t left = 0;
  for (const int site : matched) {
    const int winner = winner_at(policy, resolved, index, site);
    if (winner <= index) {
      ++left;
      continue;
    }
    winners.insert(winner);
    if (same_outcome(rule, policy.sites[static_cast<std::size_t>(winner)])) continue;
    other_winners.insert(winner);
    otherwise.push_back(site);
  }
  if (left == 0) {
    const std::string all =
        matched.size() == 1 ? "its op call" : "all its " + op_calls(static_cast<int>(matched.size()));
    return Finding{Severity::kWarning, index,
                   place_of(policy, index) + ": has no effect, because " + places_of(winners) +
                       (winners.size() == 1 ? " takes precedence" : " take precedence") + " for " + all + ": " +
                       names_of(matched, names) + "."};
  }
  if (otherwise.empty()) return std::nullopt;
  return Finding{Severity::kNote, index,
                 place_of(policy, index) + ": sets " + rule_text(rule) + ", but " + places_of(other_winners) +
                     (other_winners.size() == 1 ? " differs" : " differ") + " at " + std::to_string(otherwise.size()) +
                     " of its " + op_calls(static_cast<int>(matched.size())) + " and " +
                     (other_winners.size() == 1 ? "wins" : "win") + ": " + names_of(otherwise, names) + "."};
}

}  // namespace

std::vector<Finding> overlap_findings(const Policy& policy, const Resolved& resolved,
                                      const std::vector<std::vector<int>>& matched, const SiteNames& names) {
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < policy.sites.size(); ++i) {
    if (matched[i].empty()) continue;
    if (const int later = repeated_by(policy, i); later >= 0) {
      const std::string& first = names[static_cast<std::size_t>(matched[i].front())];
      findings.push_back(repetition(policy, static_cast<int>(i), later, first));
    } else if (auto finding = taken_over(policy, resolved, static_cast<int>(i), matched[i], names)) {
      findings.push_back(std::move(*finding));
    }
  }
  return findings;
}

std::vector<Finding> call_findings(const Policy& policy, const std::vector<std::vector<int>>& matched,
                                   std::span<const SitePlace> places, const SiteNames& names) {
  std::vector<Finding> findings;
  if (places.empty()) return findings;
  for (std::size_t i = 0; i < policy.sites.size(); ++i) {
    const std::optional<int> call = policy.sites[i].call;
    if (!call || *call == 0) continue;
    std::vector<int> once;
    for (const int site : matched[i]) {
      if (!places[static_cast<std::size_t>(site)].repeats) once.push_back(site);
    }
    if (once.empty()) continue;
    const bool all = once.size() == matched[i].size();
    std::string message =
        place_of(policy, static_cast<int>(i)) + ": call " + std::to_string(*call) + " never occurs at ";
    message +=
        all ? "" : std::to_string(once.size()) + " of its " + op_calls(static_cast<int>(matched[i].size())) + ", ";
    message += names_of(once, names);
    message += once.size() == 1 ? ", which is" : ", which are";
    message += " not in a loop: forward runs " + std::string(once.size() == 1 ? "it" : "each") + " once, as call 0.";
    if (all) message += " The rule has no effect.";
    findings.push_back({all ? Severity::kWarning : Severity::kNote, static_cast<int>(i), std::move(message)});
  }
  return findings;
}

}  // namespace binade::policy
