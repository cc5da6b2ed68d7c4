// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/finding_text.h"
#include "engine/policy/site_match.h"
#include "engine/policy_tools/merge_parts.h"
#include "engine/policy_tools/rule_words.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace binade::policy_tools {

namespace {

using policy::SiteRule;
using RuleKey = std::pair<std::string, std::optional<int>>;
using Keys = std::vector<RuleKey>;

RuleKey key_of(const SiteRule& rule) {
  return {rule.match, rule.call};
}

/// A list of rules by match and call. If several rules have the same match and call, only the last one takes effect.
struct RuleList {
  Keys order;
  std::map<RuleKey, SiteRule> rules;

  explicit RuleList(const std::vector<SiteRule>& all) {
    for (const SiteRule& rule : all) rules.insert_or_assign(key_of(rule), rule);
    std::set<RuleKey> seen;
    for (auto rule = all.rbegin(); rule != all.rend(); ++rule) {
      if (seen.insert(key_of(*rule)).second) order.push_back(key_of(*rule));
    }
    std::reverse(order.begin(), order.end());
  }

  bool has(const RuleKey& key) const { return rules.contains(key); }
  std::optional<SiteRule> at(const RuleKey& key) const {
    const auto found = rules.find(key);
    return found == rules.end() ? std::nullopt : std::optional(found->second);
  }
  bool in_order(const RuleKey& first, const RuleKey& second) const {
    const auto found = std::find(order.begin(), order.end(), first);
    return std::find(found, order.end(), second) != order.end();
  }
};

std::string place_of(const RuleKey& key) {
  return "sites: " + key.first + (key.second ? ", call " + std::to_string(*key.second) : "");
}

std::string text_of(const std::optional<SiteRule>& rule) {
  return rule ? policy::rule_text(*rule) : std::string();
}

bool same_treatment(const SiteRule& a, const SiteRule& b) {
  return policy::rule_text(a) == policy::rule_text(b);
}

class RuleMerge {
 public:
  RuleMerge(const Three& three, std::vector<Conflict>& conflicts)
      : three_(three),
        base_(three.base.sites),
        mine_(three.mine.sites),
        theirs_(three.theirs.sites),
        conflicts_(conflicts) {}

  std::vector<SiteRule> run() {
    merge_rules_by_key();
    merge_order();
    check_pairs();
    std::vector<SiteRule> merged;
    for (const RuleKey& key : order_) merged.push_back(result_.at(key));
    return merged;
  }

 private:
  void merge_rules_by_key() {
    std::set<RuleKey> all;
    for (const RuleList* list : {&base_, &mine_, &theirs_}) all.insert(list->order.begin(), list->order.end());
    for (const RuleKey& key : all) {
      const std::optional<SiteRule> rule = merge_one(key, base_.at(key), mine_.at(key), theirs_.at(key));
      if (rule) result_.emplace(key, *rule);
    }
  }

  std::optional<SiteRule> merge_one(const RuleKey& key, const std::optional<SiteRule>& base,
                                    const std::optional<SiteRule>& mine, const std::optional<SiteRule>& theirs) {
    if (mine == theirs) return mine;
    if (theirs == base) {
      by_mine_.insert(key);
      return mine;
    }
    if (mine == base) {
      by_theirs_.insert(key);
      return theirs;
    }
    if (mine && theirs && same_treatment(*mine, *theirs)) {
      SiteRule both = *mine;
      both.why = joined_reasons({mine->why, theirs->why});
      return both;
    }
    conflicts_.push_back({place_of(key), text_of(base), text_of(mine), text_of(theirs), three_.prefer.has_value()});
    // The side that left the rule out states no order between it and the rules that it added.
    const bool left_out = three_.takes_theirs() ? !mine : !theirs;
    if (three_.prefer && left_out) (three_.takes_theirs() ? by_theirs_ : by_mine_).insert(key);
    return three_.takes_theirs() ? theirs : mine;
  }

  /// The keys of a list that all three policies and the result have.
  Keys common(const RuleList& list) const {
    Keys keys;
    for (const RuleKey& key : list.order) {
      if (base_.has(key) && mine_.has(key) && theirs_.has(key) && result_.contains(key)) keys.push_back(key);
    }
    return keys;
  }

  void merge_order() {
    const Keys base = common(base_);
    const Keys mine = common(mine_);
    const Keys theirs = common(theirs_);
    const bool conflict = mine != base && theirs != base && mine != theirs;
    if (conflict) {
      conflicts_.push_back(
          {"order of the site rules", listed(base), listed(mine), listed(theirs), three_.prefer.has_value()});
    }
    const bool start_with_theirs = conflict ? three_.takes_theirs() : mine == base && theirs != base;
    const RuleList& first = start_with_theirs ? theirs_ : mine_;
    for (const RuleKey& key : first.order) {
      if (result_.contains(key)) order_.push_back(key);
    }
    add_missing(start_with_theirs ? mine_ : theirs_);
  }

  static std::string listed(const Keys& keys) {
    std::string text;
    for (const RuleKey& key : keys) text += (text.empty() ? "" : ", ") + place_of(key).substr(7);
    return text;
  }

  /// Puts the rules of a list that are not in the order yet behind those that they follow in the list, and behind the
  /// rules that the other side added there.
  void add_missing(const RuleList& list) {
    auto after = order_.begin();
    for (const RuleKey& key : list.order) {
      if (!result_.contains(key)) continue;
      const auto known = std::find(order_.begin(), order_.end(), key);
      if (known != order_.end()) {
        after = std::next(known);
        continue;
      }
      while (after != order_.end() && !list.has(*after)) ++after;
      after = std::next(order_.insert(after, key));
    }
  }

  /// Two rules of different sides that may match the same op call need an order that one of the sides states.
  void check_pairs() {
    for (const RuleKey& mine : by_mine_) {
      for (const RuleKey& theirs : by_theirs_) {
        if (!result_.contains(mine) || !result_.contains(theirs) || is_ordered(mine, theirs)) continue;
        const SiteRule& a = result_.at(mine);
        const SiteRule& b = result_.at(theirs);
        if (same_treatment(a, b) || !may_overlap(a, b, three_.model)) continue;
        const bool decided =
            three_.prefer && move_before(three_.takes_theirs() ? mine : theirs, three_.takes_theirs() ? theirs : mine);
        conflicts_.push_back({place_of(mine) + " and " + place_of(theirs).substr(7), "", policy::rule_text(a),
                              policy::rule_text(b), decided});
      }
    }
  }

  /// Whether the rule that wins where both match is the one that wins in each policy that has both.
  bool is_ordered(const RuleKey& mine, const RuleKey& theirs) const {
    const bool both_in_mine = mine_.has(theirs) && mine_.has(mine);
    const bool both_in_theirs = theirs_.has(mine) && theirs_.has(theirs);
    if (both_in_mine && both_in_theirs) return true;
    // A rule that already loses in its own policy claims nothing where both match.
    return (both_in_theirs && theirs_.in_order(theirs, mine)) || (both_in_mine && mine_.in_order(mine, theirs));
  }

  /// Gets a preferred rule behind the other one, together with the rules that must stay behind it. False, and nothing
  /// moves, if one of these is the other rule itself: no order then fulfils what both sides state.
  bool move_before(const RuleKey& loser, const RuleKey& winner) {
    decided_.emplace(loser, winner);
    const auto from = std::find(order_.begin(), order_.end(), winner);
    const auto to = std::find(order_.begin(), order_.end(), loser);
    if (to < from) return true;
    Keys passed;
    Keys moved{winner};
    for (auto each = std::next(from); each != std::next(to); ++each) {
      const bool stays_behind =
          std::any_of(moved.begin(), moved.end(), [&](const RuleKey& first) { return must_precede(first, *each); });
      (stays_behind ? moved : passed).push_back(*each);
    }
    if (passed.empty() || passed.back() != loser) {
      decided_.erase({loser, winner});
      return false;
    }
    std::copy(moved.begin(), moved.end(), std::copy(passed.begin(), passed.end(), from));
    return true;
  }

  /// Whether an exchange of two rules would change what one of the sides, or a decided conflict, says.
  bool must_precede(const RuleKey& first, const RuleKey& later) const {
    if (decided_.contains({first, later})) return true;
    const auto states = [&](const RuleList& side) {
      return side.has(first) && side.has(later) && side.in_order(first, later);
    };
    if (!states(mine_) && !states(theirs_)) return false;
    const SiteRule& a = result_.at(first);
    const SiteRule& b = result_.at(later);
    return !same_treatment(a, b) && may_overlap(a, b, three_.model);
  }

  const Three& three_;
  RuleList base_;
  RuleList mine_;
  RuleList theirs_;
  std::vector<Conflict>& conflicts_;
  std::map<RuleKey, SiteRule> result_;
  std::set<RuleKey> by_mine_;  ///< only mine changed them, or theirs left them out and mine is preferred
  std::set<RuleKey> by_theirs_;
  std::set<std::pair<RuleKey, RuleKey>> decided_;  ///< a rule, and the preferred one that now overrides it
  Keys order_;
};

/// What a match without wildcards names.
bool is_call_name(std::string_view match) {
  return match.find('#') != std::string_view::npos || match.find('/') != std::string_view::npos;
}

bool is_within(std::string_view path, std::string_view module) {
  if (!path.starts_with(module)) return false;
  const std::string_view rest = path.substr(module.size());
  return rest.empty() || rest[0] == '.' || rest[0] == '/' || rest[0] == ':';
}

/// What the names of all op calls that a match matches begin with.
std::string_view beginning_of_names(std::string_view match) {
  if (match.starts_with('/')) match.remove_prefix(1);  // allowed for the root's op calls
  return match.substr(0, match.find('*'));
}

bool texts_may_overlap(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const std::string_view a_begins = beginning_of_names(a);
  const std::string_view b_begins = beginning_of_names(b);
  if (!a_begins.starts_with(b_begins) && !b_begins.starts_with(a_begins)) return false;
  const bool a_is_pattern = a.find('*') != std::string::npos;
  const bool b_is_pattern = b.find('*') != std::string::npos;
  if (a_is_pattern && b_is_pattern) return true;
  if (a_is_pattern) return texts_may_overlap(b, a);
  if (b_is_pattern) return !(is_call_name(a) && is_call_name(b)) || policy::matches_text(b, a);
  if (is_call_name(a) && is_call_name(b)) return false;
  return is_within(a, b) || is_within(b, a);
}

}  // namespace

bool may_overlap(const SiteRule& a, const SiteRule& b, const ModelCalls* model) {
  if (a.call && b.call && a.call != b.call) return false;
  if (model == nullptr) return texts_may_overlap(a.match, b.match);
  return std::any_of(model->keys.begin(), model->keys.end(), [&](const policy::SiteKey& site) {
    return policy::matches(a.match, site) && policy::matches(b.match, site);
  });
}

std::vector<SiteRule> merge_rules(const Three& three, std::vector<Conflict>& conflicts) {
  return RuleMerge(three, conflicts).run();
}

}  // namespace binade::policy_tools
