// SPDX-License-Identifier: Apache-2.0
#include "engine/policy_tools/rule_table.h"

#include "engine/policy_tools/inner_reach.h"

#include <algorithm>
#include <set>

namespace binade::policy_tools {

namespace {

using policy::SiteRule;

bool same_wish(const SiteRule& a, const SiteRule& b) {
  return a.format == b.format && a.backward == b.backward && a.execution == b.execution && a.overflow == b.overflow &&
         a.products == b.products;
}

}  // namespace

RuleTable::RuleTable(const policy::Policy& policy, const ModelCalls& model)
    : policy_(policy), model_(model), names_(model.keys), removed_(policy.sites.size(), false) {
  const std::vector<SiteRule>& rules = policy_.sites;
  std::vector<std::vector<std::size_t>> sites;  // by rule
  std::vector<std::set<int>> calls(model.keys.size());
  for (const SiteRule& rule : rules) {
    sites.push_back(sites_of(rule.match));
    if (!rule.call) continue;
    for (const std::size_t site : sites.back()) calls[site].insert(*rule.call);
  }
  slots_of_site_.resize(model.keys.size());
  for (std::size_t site = 0; site < model.keys.size(); ++site) {
    slots_of_site_[site].push_back(slots_.size());
    slots_.push_back({site, std::nullopt});
    for (const int call : calls[site]) {
      slots_of_site_[site].push_back(slots_.size());
      slots_.push_back({site, call});
    }
  }

  rules_.resize(slots_.size());
  std::vector<const SiteRule*> asked;  // by request: a rule with it
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    std::vector<std::size_t>& matched = matched_.emplace_back();
    for (const std::size_t site : sites[rule]) {
      for (const std::size_t slot : slots_of_site_[site]) {
        if (rules[rule].call && slots_[slot].call != rules[rule].call) continue;
        matched.push_back(slot);
        rules_[slot].push_back(rule);
      }
    }
    const auto known =
        std::find_if(asked.begin(), asked.end(), [&](const SiteRule* other) { return same_wish(rules[rule], *other); });
    request_.push_back(static_cast<std::size_t>(known - asked.begin()));
    if (known != asked.end()) continue;
    asked.push_back(&rules[rule]);
    requests_.push_back(effect_of(rules[rule], policy_));
  }

  policy::Policy without = policy_;
  without.sites.clear();
  const Tables tables = resolve_everywhere(without, model);
  below_.resize(model.keys.size());
  for (std::size_t site = 0; site < model.keys.size(); ++site) {
    for (std::size_t device = 0; device < kDevices; ++device) below_[site][device] = tables[device].sites[site];
  }
}

std::vector<std::size_t> RuleTable::sites_of(const std::string& match) const {
  std::vector<std::size_t> sites;
  const policy::SiteMatch matches(match);
  for (std::size_t site = 0; site < model_.keys.size(); ++site) {
    if (matches(model_.keys, site, names_)) sites.push_back(site);
  }
  return sites;
}

int RuleTable::winner(std::size_t slot, std::size_t before) const {
  const std::vector<std::size_t>& rules = rules_[slot];
  for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule) {
    if (*rule < before && !removed_[*rule]) return static_cast<int>(*rule);
  }
  return kBelow;
}

const Effect& RuleTable::effect(std::size_t slot, int rule) const {
  return rule == kBelow ? below_[slots_[slot].site] : requests_[request_[static_cast<std::size_t>(rule)]];
}

bool RuleTable::same(std::size_t slot, int rule, int other) const {
  const std::size_t site = slots_[slot].site;
  if (rule == other || rules_have_no_effect(model_, site)) return true;
  return same_effect(effect(slot, rule), effect(slot, other), model_.is_guarded(site));
}

bool RuleTable::same_request(std::size_t rule, std::size_t other) const {
  return request_[rule] == request_[other] ||
         same_effect(requests_[request_[rule]], requests_[request_[other]], /*guarded=*/true);
}

bool RuleTable::gives_what(std::size_t rule, std::size_t site) const {
  const std::optional<int> call = policy_.sites[rule].call;
  const std::vector<std::size_t>& slots = slots_of_site_[site];
  const auto gives = [&](std::size_t slot) { return same(slot, winner(slot), static_cast<int>(rule)); };
  if (!call) return std::all_of(slots.begin(), slots.end(), gives);
  const auto single =
      std::find_if(slots.begin(), slots.end(), [&](std::size_t slot) { return slots_[slot].call == call; });
  return gives(single == slots.end() ? slots.front() : *single);
}

}  // namespace binade::policy_tools
