// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/decision_text.h"
#include "engine/policy/inner_differences.h"
#include "engine/policy_tools/effect.h"
#include "engine/policy_tools/inner_reach.h"
#include "engine/policy_tools/merge_parts.h"

#include <algorithm>
#include <array>
#include <set>

namespace binade::policy_tools {

namespace {

/// Indices of Effect: a CPU with every format, CUDA, any device, and the CPU without formats below float32.
constexpr std::array<std::size_t, kDevices> kCapableFirst{1, 2, 3, 0};

/// One op call, or a single execution of it, under one policy.
struct OneSide {
  const Tables& tables;
  Effect effect;
};

class CallComparison {
 public:
  CallComparison(const Three& three, const policy::Policy& merged)
      : three_(three),
        model_(*three.model),
        base_(resolve_everywhere(three.base, model_)),
        mine_(resolve_everywhere(three.mine, model_)),
        theirs_(resolve_everywhere(three.theirs, model_)),
        merged_(resolve_everywhere(merged, model_)) {}

  void run(std::vector<Conflict>& conflicts) {
    decided_before_ =
        std::any_of(conflicts.begin(), conflicts.end(), [](const Conflict& conflict) { return conflict.decided; });
    for (std::size_t i = 0; i < model_.keys.size(); ++i) {
      if (rules_have_no_effect(model_, i)) continue;
      compare(i, std::nullopt, conflicts);
      for (const int call : single_calls(i)) compare(i, call, conflicts);
    }
  }

 private:
  std::set<int> single_calls(std::size_t i) const {
    const int site = static_cast<int>(i);
    std::set<int> calls;
    for (const Tables* tables : {&base_, &mine_, &theirs_, &merged_}) {
      const auto& all = tables->front().calls;
      for (auto at = all.lower_bound({site, 0}); at != all.end() && at->first.first == site; ++at) {
        calls.insert(at->first.second);
      }
    }
    return calls;
  }

  static Effect effect(const Tables& tables, std::size_t i, std::optional<int> call) {
    Effect of;
    for (std::size_t device = 0; device < kDevices; ++device) {
      of[device] = call ? tables[device].decision_for(static_cast<int>(i), *call) : tables[device].sites[i];
    }
    return of;
  }

  /// An op inside an op call that two sides treat differently on some device; empty if there is none.
  std::string inner_difference(const OneSide& a, const OneSide& b, std::size_t i) const {
    if (model_.places.empty()) return {};
    for (const std::size_t device : kCapableFirst) {
      const policy::TwoDecisions two{a.tables[device], b.tables[device], a.effect[device], b.effect[device]};
      const auto inner = policy::inner_differences(model_.keys[i], model_.places[i], two);
      if (!inner.empty()) return inner.front().op;
    }
    return {};
  }

  bool is_inside(std::size_t i) const { return !model_.places.empty() && model_.places[i].inside; }

  /// A CPU with every named format, or the first other device where the sides differ. A merge is for all devices: what
  /// one of them emulates belongs in no text.
  std::size_t device_to_show(std::size_t i, const OneSide& mine, const OneSide& theirs) const {
    for (const std::size_t device : kCapableFirst) {
      if (policy::decision_text(mine.effect[device], is_inside(i)) !=
          policy::decision_text(theirs.effect[device], is_inside(i))) {
        return device;
      }
    }
    return kCapableFirst.front();
  }

  /// The treatment of an op call by one side; with `inner`, also of that op inside it.
  std::string text_of(const OneSide& side, std::size_t i, std::size_t device, const std::string& inner) const {
    const policy::Decision& whole = side.effect[device];
    const std::string text = policy::decision_text(whole, is_inside(i));
    if (inner.empty() || !policy::is_inside(whole, is_inside(i))) return text;
    const policy::Decision within = policy::treatment_inside(side.tables[device], whole, inner);
    return text + ": " + inner + " " + policy::decision_text(within);
  }

  void compare(std::size_t i, std::optional<int> call, std::vector<Conflict>& conflicts) const {
    const OneSide base{base_, effect(base_, i, call)};
    const OneSide mine{mine_, effect(mine_, i, call)};
    const OneSide theirs{theirs_, effect(theirs_, i, call)};
    const OneSide merged{merged_, effect(merged_, i, call)};
    const auto same = [&](const OneSide& a, const OneSide& b) {
      return same_effect(a.effect, b.effect, model_.is_guarded(i)) && inner_difference(a, b, i).empty();
    };
    const bool agree = same(mine, theirs);
    const bool both_changed = !agree && !same(mine, base) && !same(theirs, base);
    const bool mine_wins = both_changed ? !three_.takes_theirs() : agree || same(theirs, base);
    const bool as_wanted = same(merged, mine_wins ? mine : theirs);
    if (as_wanted && !both_changed) return;
    // If one side changed a rule and the other narrowed it, the rule covered op calls that the narrower one leaves as
    // in the base. The side whose rule was preferred decides there too.
    const bool as_preferred = three_.prefer && same(merged, three_.takes_theirs() ? theirs : mine);
    const bool decided = as_preferred && (both_changed || decided_before_);
    const std::size_t device = device_to_show(i, mine, theirs);
    std::string inner = inner_difference(base, mine, i);
    if (inner.empty()) inner = inner_difference(base, theirs, i);
    const auto text = [&](const OneSide& side) { return text_of(side, i, device, inner); };
    conflicts.push_back({model_.keys[i].name() + (call ? ", call " + std::to_string(*call) : ""), text(base),
                         text(mine), text(theirs), decided});
  }

  const Three& three_;
  const ModelCalls& model_;
  Tables base_;
  Tables mine_;
  Tables theirs_;
  Tables merged_;
  bool decided_before_ = false;  ///< the preferred side decided a conflict of rules
};

}  // namespace

void compare_calls(const Three& three, const policy::Policy& merged, std::vector<Conflict>& conflicts) {
  CallComparison(three, merged).run(conflicts);
}

}  // namespace binade::policy_tools
