// SPDX-License-Identifier: Apache-2.0
#include "engine/trial/change_name.h"

#include <algorithm>
#include <variant>
#include <vector>

namespace binade::trial {

namespace {

constexpr std::size_t kMost = 3;

std::string name_of(const policy::SiteRule& rule) {
  const std::string call = rule.call ? ", call " + std::to_string(*rule.call) + "," : "";
  return rule.match + call;
}

/// Whether `rules` has a rule that does the same, whatever its reason says.
bool has_rule(const std::vector<policy::SiteRule>& rules, policy::SiteRule rule) {
  rule.why.clear();
  return std::any_of(rules.begin(), rules.end(), [&rule](policy::SiteRule each) {
    each.why.clear();
    return each == rule;
  });
}

bool has_match(const std::vector<policy::SiteRule>& rules, const policy::SiteRule& rule) {
  return std::any_of(rules.begin(), rules.end(), [&rule](const policy::SiteRule& each) {
    return each.match == rule.match && each.call == rule.call;
  });
}

std::string format_text(const policy::SiteRule& rule) {
  std::string text = formats::name(rule.format);
  if (rule.backward && *rule.backward != rule.format) text += ", backward " + formats::name(*rule.backward);
  return text;
}

/// How an op is computed, as the end of `aten::linear ...`.
std::string op_text(const policy::OpChange& change) {
  if (const auto* format = std::get_if<formats::Format>(&change)) return "in " + formats::name(*format);
  switch (std::get<policy::Treatment>(change)) {
    case policy::Treatment::kLow:
      return "in the low format";
    case policy::Treatment::kPromote:
      return "in the widest format of its arguments";
    case policy::Treatment::kFollow:
      return "in the format of its arguments";
    case policy::Treatment::kBanned:
      return "refused";
  }
  return {};
}

/// Whether nothing in the policy is computed in its low format.
bool is_float32_throughout(const policy::Policy& policy) {
  return policy.base == policy::Base::kAllFloat32 && policy.ops.empty() && policy.sites.empty();
}

std::vector<std::string> changes(const policy::Policy& before, const policy::Policy& after) {
  std::vector<std::string> all;
  if (before.base != after.base && is_float32_throughout(after)) return {"float32 throughout"};
  if (before.base != after.base) all.push_back("base list " + policy::name(after.base));
  if (before.low != after.low) all.push_back("low format " + formats::name(after.low));
  if (before.execution != after.execution) all.push_back("execution " + policy::name(after.execution));
  if (before.behaviour != after.behaviour) all.push_back("behaviour " + policy::name(after.behaviour));
  for (const auto& [op, change] : after.ops) {
    const auto was = before.ops.find(op);
    if (was == before.ops.end() || was->second != change) all.push_back(op + " " + op_text(change));
  }
  for (const auto& [op, change] : before.ops) {
    if (!after.ops.contains(op)) all.push_back(op + " as in the list");
  }
  for (const policy::SiteRule& rule : after.sites) {
    if (!has_rule(before.sites, rule)) all.push_back(name_of(rule) + " in " + format_text(rule));
  }
  for (const policy::SiteRule& rule : before.sites) {
    if (!has_match(after.sites, rule)) all.push_back(name_of(rule) + " without its rule");
  }
  if (all.empty() && before.sites != after.sites) all.emplace_back("rules in another order");
  return all;
}

}  // namespace

std::string change_name(const policy::Policy& before, const policy::Policy& after) {
  const std::vector<std::string> all = changes(before, after);
  if (all.empty()) return "no change";
  std::string name;
  for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i) name += (i == 0 ? "" : ", ") + all[i];
  if (all.size() > kMost) name += " and " + std::to_string(all.size() - kMost) + " more";
  return name;
}

}  // namespace binade::trial
