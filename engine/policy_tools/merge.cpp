// SPDX-License-Identifier: Apache-2.0
#include "engine/policy_tools/merge.h"

#include "engine/policy_tools/merge_parts.h"

#include <algorithm>
#include <set>
#include <type_traits>

namespace binade::policy_tools {

namespace {

using policy::Policy;

/// One value that each of the three policies states, or none of it.
template <class Value, class Text>
std::optional<Value> merge_value(const Three& three, const std::string& place, const std::optional<Value>& base,
                                 const std::optional<Value>& mine, const std::optional<Value>& theirs, const Text& text,
                                 std::vector<Conflict>& conflicts) {
  if (mine == theirs || theirs == base) return mine;
  if (mine == base) return theirs;
  const auto shown = [&](const std::optional<Value>& value) { return value ? text(*value) : std::string(); };
  conflicts.push_back({place, shown(base), shown(mine), shown(theirs), three.prefer.has_value()});
  return three.takes_theirs() ? theirs : mine;
}

void merge_ops(const Three& three, Policy& merged, std::vector<Conflict>& conflicts) {
  std::set<std::string> keys;
  for (const Policy* each : {&three.base, &three.mine, &three.theirs}) {
    for (const auto& [key, change] : each->ops) keys.insert(key);
  }
  for (const std::string& key : keys) {
    const auto stated = [&key](const Policy& policy) {
      const auto found = policy.ops.find(key);
      return found == policy.ops.end() ? std::nullopt : std::optional(found->second);
    };
    const auto text = [](const policy::OpChange& change) { return policy::to_text(change); };
    const auto change = merge_value<policy::OpChange>(three, "ops[\"" + key + "\"]", stated(three.base),
                                                      stated(three.mine), stated(three.theirs), text, conflicts);
    if (change) merged.ops[key] = *change;
  }
}

}  // namespace

bool Merged::is_complete() const {
  return std::all_of(conflicts.begin(), conflicts.end(), [](const Conflict& conflict) { return conflict.decided; });
}

Merged merge(const Policy& base, const Policy& mine, const Policy& theirs, std::optional<Side> prefer,
             const ModelCalls* model) {
  const Three three{base, mine, theirs, prefer, model};
  Merged merged;
  const auto field = [&](const char* place, auto Policy::*member, const auto& text) {
    using Value = std::remove_cvref_t<decltype(base.*member)>;
    const auto of = [member](const Policy& policy) { return std::optional<Value>(policy.*member); };
    merged.policy.*member = *merge_value<Value>(three, place, of(base), of(mine), of(theirs), text, merged.conflicts);
  };
  const auto word = [](const auto& value) { return policy::name(value); };
  merged.policy.name = mine.name == base.name ? theirs.name : mine.name;
  field("behaviour", &Policy::behaviour, word);
  field("base", &Policy::base, word);
  field("low", &Policy::low, [](const formats::Format& format) { return formats::name(format); });
  field("execution", &Policy::execution, word);
  merge_ops(three, merged.policy, merged.conflicts);
  merged.policy.sites = merge_rules(three, merged.conflicts);
  if (model != nullptr) compare_calls(three, merged.policy, merged.conflicts);
  return merged;
}

}  // namespace binade::policy_tools
