// SPDX-License-Identifier: Apache-2.0
#include "engine/policy_tools/minimise.h"

#include "engine/policy/finding_text.h"
#include "engine/policy_tools/generalise_step.h"
#include "engine/policy_tools/rule_table.h"
#include "engine/policy_tools/rule_words.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace binade::policy_tools {

namespace {

using policy::SiteRule;

/// Leaves out site rules one after the other, as long as one can be left out.
class RuleDropper {
 public:
  RuleDropper(Draft& draft, const ModelCalls& model) : draft_(draft), table_(draft.policy, model) {}

  void run(std::vector<Dropped>& dropped) {
    // Rules that match least come first, because a rule for many op calls says more. Of two that match as many, the
    // later one comes first.
    std::vector<std::size_t> order(draft_.policy.sites.size());
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      return table_.matched(a).size() < table_.matched(b).size();
    });
    for (bool again = true; std::exchange(again, false);) {
      // Of two rules that agree, the one that decides nothing goes, and the one that decides stays.
      for (const bool idle : {true, false}) {
        for (const std::size_t rule : order) {
          if (table_.is_removed(rule) || decided_by(rule).empty() != idle || !can_go(rule)) continue;
          dropped.push_back({words(rule), reason(rule)});
          table_.remove(rule);
          again = true;
        }
      }
    }
    for (std::size_t rule = draft_.policy.sites.size(); rule-- > 0;) {
      if (table_.is_removed(rule)) draft_.erase(rule);
    }
  }

 private:
  std::string words(std::size_t rule) const { return rule_words(draft_.policy.sites[rule], draft_.origins[rule]); }

  std::vector<std::size_t> decided_by(std::size_t rule) const {
    std::vector<std::size_t> slots;
    for (const std::size_t slot : table_.matched(rule)) {
      if (table_.winner(slot) == static_cast<int>(rule)) slots.push_back(slot);
    }
    return slots;
  }

  bool can_go(std::size_t rule) const {
    if (table_.matched(rule).empty()) return !policy::speaks_of_loss(draft_.policy.sites[rule]);
    const std::vector<std::size_t> slots = decided_by(rule);
    if (!slots.empty() && is_only_edit(rule)) return false;
    return std::all_of(slots.begin(), slots.end(),
                       [&](std::size_t slot) { return table_.same(slot, static_cast<int>(rule), under(slot, rule)); });
  }

  /// The rule that would decide for a slot without `rule`. A rule for a single call leaves it to the op call's.
  int under(std::size_t slot, std::size_t rule) const { return table_.winner(slot, rule); }

  /// PyTorch 2.11's behaviour is another one for a policy without any edit.
  bool is_only_edit(std::size_t rule) const {
    if (draft_.policy.behaviour != policy::Behaviour::kPyTorch211 || !draft_.policy.ops.empty()) return false;
    for (std::size_t other = 0; other < draft_.policy.sites.size(); ++other) {
      if (other != rule && !table_.is_removed(other) && !decided_by(other).empty()) return false;
    }
    return true;
  }

  std::string reason(std::size_t rule) const {
    if (table_.matched(rule).empty()) return "it matches no op call of the model";
    const std::vector<std::size_t> slots = decided_by(rule);
    std::vector<std::string> others;
    const auto name = [&](int other) {
      const std::string text = other == RuleTable::kBelow ? below() : place(static_cast<std::size_t>(other));
      if (std::find(others.begin(), others.end(), text) == others.end()) others.push_back(text);
    };
    for (const std::size_t slot : slots) name(under(slot, rule));
    if (!slots.empty()) return "without it the same applies, from " + policy::first_of(others);
    for (const std::size_t slot : table_.matched(rule)) name(table_.winner(slot));
    return "later rules decide all its op calls: " + policy::first_of(others);
  }

  std::string place(std::size_t rule) const {
    return draft_.origins[rule] == kMade ? draft_.policy.sites[rule].match : policy::short_place(draft_.origins[rule]);
  }

  std::string below() const {
    const std::string list = "the base list " + name(draft_.policy.base);
    return draft_.policy.ops.empty() ? list : list + " with the op changes";
  }

  Draft& draft_;
  RuleTable table_;
};

/// Leaves out op changes, each proven by the whole table.
void drop_op_changes(Draft& draft, const ModelCalls& model, std::vector<Dropped>& dropped) {
  const auto ops = draft.policy.ops;
  for (const auto& [key, change] : ops) {
    policy::Policy without = draft.policy;
    without.ops.erase(key);
    if (!equal_tables(draft.policy, without, model)) continue;
    const std::string op = key.substr(0, key.find('.'));
    const bool called =
        std::any_of(model.keys.begin(), model.keys.end(), [&](const policy::SiteKey& site) { return site.op == op; });
    dropped.push_back(
        {op_words(key, change), called ? "without it every op call runs the same" : "the model does not call the op"});
    draft.policy.ops.erase(key);
  }
}

}  // namespace

Minimised minimise(const policy::Policy& policy, const ModelCalls& model) {
  const ModelCalls all = with_loss(model, policy);
  Draft draft(policy);
  Minimised result;
  const auto count = [&draft] { return draft.policy.sites.size() + draft.policy.ops.size(); };
  for (std::size_t before = count() + 1; count() < before;) {
    before = count();
    RuleDropper(draft, all).run(result.dropped);
    drop_op_changes(draft, all, result.dropped);
    for (Generalised::Pattern& pattern : replace_by_patterns(draft, all)) result.patterns.push_back(std::move(pattern));
  }
  result.policy = std::move(draft.policy);
  prove_equal(policy, result.policy, all, "minimise");
  return result;
}

}  // namespace binade::policy_tools
