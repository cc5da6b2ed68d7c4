// SPDX-License-Identifier: Apache-2.0
#include "engine/policy_tools/generalise.h"

#include "engine/formats/error.h"
#include "engine/policy_tools/generalise_step.h"
#include "engine/policy_tools/patterns.h"
#include "engine/policy_tools/rule_table.h"
#include "engine/policy_tools/rule_words.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace binade::policy_tools {

namespace {

using policy::SiteRule;

constexpr std::size_t kLeastRules = 2;  ///< that a pattern must replace

/// A pattern whose op calls all have what the rules of a group request.
struct Candidate {
  PatternText text;
  std::vector<std::size_t> sites;  ///< that it matches, in order
};

/// A candidate with what it would replace now.
struct Choice {
  const Candidate* pattern = nullptr;
  std::vector<std::size_t> rules;
  std::size_t further = 0;  ///< number of op calls that it matches and no replaced rule does

  /// Most rules, fewest further op calls, plainest text.
  friend bool better(const Choice& a, const Choice& b) {
    const auto stars = [](const Choice& each) {
      const std::string& match = each.pattern->text.match;
      return std::count(match.begin(), match.end(), '*');
    };
    const auto rank = [&](const Choice& each) {
      const std::string& match = each.pattern->text.match;
      return std::tuple(each.further, each.pattern->text.form, stars(each), match.size(), match);
    };
    if (a.rules.size() != b.rules.size()) return a.rules.size() > b.rules.size();
    return rank(a) < rank(b);
  }
};

/// One pass over a draft: groups of rules that request the same, and the patterns for each.
class Pass {
 public:
  Pass(Draft& draft, const ModelCalls& model) : draft_(draft), model_(model), table_(draft.policy, model) {}

  /// Replaces the rules of the first group that a pattern can replace. Empty if there is none.
  std::optional<Generalised::Pattern> replace_one() {
    const std::size_t rules = draft_.policy.sites.size();
    std::vector<bool> done(rules, false);
    for (std::size_t first = 0; first < rules; ++first) {
      if (done[first] || !has_sites(first)) continue;
      std::vector<std::size_t> group;
      for (std::size_t rule = first; rule < rules; ++rule) {
        if (done[rule] || !belongs(first, rule)) continue;
        done[rule] = true;
        group.push_back(rule);
      }
      if (group.size() < kLeastRules) continue;
      if (auto pattern = replace_in(group)) return pattern;
    }
    return std::nullopt;
  }

 private:
  bool has_sites(std::size_t rule) const { return !table_.matched(rule).empty(); }

  bool belongs(std::size_t first, std::size_t rule) const {
    return has_sites(rule) && draft_.policy.sites[rule].call == draft_.policy.sites[first].call &&
           table_.same_request(first, rule);
  }

  std::vector<std::size_t> sites_of(std::size_t rule) const {
    std::vector<std::size_t> sites;
    for (const std::size_t slot : table_.matched(rule)) {
      const std::size_t site = table_.slots()[slot].site;
      if (sites.empty() || sites.back() != site) sites.push_back(site);
    }
    return sites;
  }

  /// The op call of the model that a rule names, if it names one and is no pattern.
  std::optional<std::size_t> single_call(std::size_t rule) const {
    const std::string& match = draft_.policy.sites[rule].match;
    if (match.find('*') != std::string::npos || match.find('#') == std::string::npos) return std::nullopt;
    const std::vector<std::size_t> sites = sites_of(rule);
    if (sites.size() != 1 || sites.front() >= model_.size()) return std::nullopt;
    return sites.front();
  }

  std::optional<Generalised::Pattern> replace_in(const std::vector<std::size_t>& group) {
    std::map<std::size_t, std::vector<std::size_t>> sites;  // by rule of the group
    for (const std::size_t rule : group) sites[rule] = sites_of(rule);
    std::set<PatternText> texts;
    std::set<std::string> ops;
    for (const std::size_t rule : group) {
      const std::optional<std::size_t> site = single_call(rule);
      if (!site) continue;
      add_patterns_of(model_.keys[*site], texts);
      ops.insert(model_.keys[*site].op);
    }
    std::vector<Candidate> candidates;
    for (const std::string& op : ops) {
      if (may_be_op_change(group.front(), op)) candidates.push_back({{Form::kOpChange, op}, calls_of(op)});
    }
    for (const PatternText& text : texts) {
      std::vector<std::size_t> matched = table_.sites_of(text.match);
      const bool agrees = std::all_of(matched.begin(), matched.end(),
                                      [&](std::size_t site) { return table_.gives_what(group.front(), site); });
      if (agrees && !matched.empty()) candidates.push_back({text, std::move(matched)});
    }
    std::vector<Choice> choices;
    for (const Candidate& candidate : candidates) {
      Choice choice = replaced_by(candidate, sites);
      if (choice.rules.size() >= kLeastRules) choices.push_back(std::move(choice));
    }
    std::sort(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) { return better(a, b); });
    for (const Choice& choice : choices) {
      if (apply(choice)) return describe(choice);
    }
    return std::nullopt;
  }

  /// Whether `ops` can state what a rule requests, and states nothing on the op yet.
  bool may_be_op_change(std::size_t rule, const std::string& op) const {
    const SiteRule& wish = draft_.policy.sites[rule];
    const auto next = draft_.policy.ops.lower_bound(op);
    const bool stated = next != draft_.policy.ops.end() && (next->first == op || next->first.starts_with(op + "."));
    SiteRule plain;
    plain.format = wish.format;
    const Effect wanted = effect_of(wish, draft_.policy);
    return !wish.call && !stated && same_effect(wanted, effect_of(plain, draft_.policy), /*guarded=*/true);
  }

  std::vector<std::size_t> calls_of(const std::string& op) const {
    std::vector<std::size_t> sites;
    for (std::size_t site = 0; site < model_.size(); ++site) {
      if (model_.keys[site].op == op) sites.push_back(site);
    }
    return sites;
  }

  static Choice replaced_by(const Candidate& candidate,
                            const std::map<std::size_t, std::vector<std::size_t>>& sites_of_rules) {
    Choice choice{&candidate, {}, 0};
    std::set<std::size_t> covered;
    for (const auto& [rule, sites] : sites_of_rules) {
      if (!std::includes(candidate.sites.begin(), candidate.sites.end(), sites.begin(), sites.end())) continue;
      choice.rules.push_back(rule);
      covered.insert(sites.begin(), sites.end());
    }
    choice.further = candidate.sites.size() - covered.size();
    return choice;
  }

  /// Changes the draft and returns true if the table stays equal.
  bool apply(const Choice& choice) {
    Draft after = draft_;
    const std::string& match = choice.pattern->text.match;
    const std::size_t last = choice.rules.back();
    if (choice.pattern->text.form == Form::kOpChange) {
      after.policy.ops[match] = draft_.policy.sites[last].format;
    } else {
      SiteRule rule = draft_.policy.sites[last];
      rule.match = match;
      std::vector<std::string> reasons;
      for (const std::size_t each : choice.rules) reasons.push_back(draft_.policy.sites[each].why);
      rule.why = joined_reasons(reasons);
      // In the place of the last one, later rules override it as before.
      after.policy.sites[last] = std::move(rule);
      after.origins[last] = kMade;
    }
    for (auto rule = choice.rules.rbegin(); rule != choice.rules.rend(); ++rule) {
      if (choice.pattern->text.form == Form::kOpChange || *rule != last) after.erase(*rule);
    }
    if (!equal_tables(draft_.policy, after.policy, model_)) return false;
    before_ = std::exchange(draft_, std::move(after));
    return true;
  }

  Generalised::Pattern describe(const Choice& choice) const {
    Generalised::Pattern pattern;
    const std::string& match = choice.pattern->text.match;
    pattern.match = choice.pattern->text.form == Form::kOpChange ? "ops[\"" + match + "\"]" : match;
    for (const std::size_t rule : choice.rules) {
      pattern.replaced.push_back(rule_words(before_->policy.sites[rule], before_->origins[rule]));
    }
    const auto in_model = [this](std::size_t site) { return site < model_.size(); };
    const auto& sites = choice.pattern->sites;
    pattern.op_calls = static_cast<std::size_t>(std::count_if(sites.begin(), sites.end(), in_model));
    return pattern;
  }

  Draft& draft_;
  std::optional<Draft> before_;
  const ModelCalls& model_;
  RuleTable table_;
};

}  // namespace

Draft::Draft(const policy::Policy& from) : policy(from) {
  for (std::size_t i = 0; i < from.sites.size(); ++i) origins.push_back(static_cast<int>(i));
}

void Draft::erase(std::size_t rule) {
  const auto at = static_cast<std::ptrdiff_t>(rule);
  policy.sites.erase(policy.sites.begin() + at);
  origins.erase(origins.begin() + at);
}

std::vector<Generalised::Pattern> replace_by_patterns(Draft& draft, const ModelCalls& model) {
  std::vector<Generalised::Pattern> patterns;
  while (auto pattern = Pass(draft, model).replace_one()) patterns.push_back(std::move(*pattern));
  return patterns;
}

void prove_equal(const policy::Policy& before, const policy::Policy& after, const ModelCalls& model, const char* tool) {
  const std::vector<Deviation> found = deviations(before, after, model);
  if (found.empty()) return;
  throw Error(ErrorCode::kInternal,
              std::string(tool) + " changed the table of the policy at " + found.front().what +
                  (found.size() == 1 ? "" : " and " + std::to_string(found.size() - 1) + " other places"),
              "This is a bug in Binade. Please report it with the policy.");
}

Generalised generalise(const policy::Policy& policy, const ModelCalls& model) {
  const ModelCalls all = with_loss(model, policy);
  Draft draft(policy);
  Generalised result;
  result.patterns = replace_by_patterns(draft, all);
  result.policy = std::move(draft.policy);
  prove_equal(policy, result.policy, all, "generalise");
  return result;
}

}  // namespace binade::policy_tools
