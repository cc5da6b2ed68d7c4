// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/decision_text.h"
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

/// One op call, or a single execution of it, under all four policies.
struct FourEffects {
  Effect base;
  Effect mine;
  Effect theirs;
  Effect merged;
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

  /// The text of an effect on a CPU with every named format, or on the first other device where the sides differ. A
  /// merge is for all devices: what one of them emulates belongs in no text.
  static std::string text_of(const Effect& one, const FourEffects& of, bool inside) {
    const auto text = [inside](const policy::Decision& decision) { return policy::decision_text(decision, inside); };
    for (const std::size_t device : kCapableFirst) {
      if (text(of.mine[device]) != text(of.theirs[device])) return text(one[device]);
    }
    return text(one[kCapableFirst.front()]);
  }

  void compare(std::size_t i, std::optional<int> call, std::vector<Conflict>& conflicts) const {
    const FourEffects of{effect(base_, i, call), effect(mine_, i, call), effect(theirs_, i, call),
                         effect(merged_, i, call)};
    const auto same = [&](const Effect& a, const Effect& b) { return same_effect(a, b, model_.is_guarded(i)); };
    const bool agree = same(of.mine, of.theirs);
    const bool both_changed = !agree && !same(of.mine, of.base) && !same(of.theirs, of.base);
    const bool mine_wins = both_changed ? !three_.takes_theirs() : agree || same(of.theirs, of.base);
    const bool as_wanted = same(of.merged, mine_wins ? of.mine : of.theirs);
    if (as_wanted && !both_changed) return;
    // If one side changed a rule and the other narrowed it, the rule covered op calls that the narrower one leaves as
    // in the base. The side whose rule was preferred decides there too.
    const bool as_preferred = three_.prefer && same(of.merged, three_.takes_theirs() ? of.theirs : of.mine);
    const bool decided = as_preferred && (both_changed || decided_before_);
    const bool inside = !model_.places.empty() && model_.places[i].inside;
    const auto text = [&of, inside](const Effect& one) { return text_of(one, of, inside); };
    conflicts.push_back({model_.keys[i].name() + (call ? ", call " + std::to_string(*call) : ""), text(of.base),
                         text(of.mine), text(of.theirs), decided});
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
