// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/fix_watch.h"

#include <algorithm>
#include <cstddef>
#include <set>

namespace binade::diagnose {

namespace {

constexpr std::size_t kMostFollowed = 32;

bool same_change(const policy::SiteRule& a, const policy::SiteRule& b) {
  return a.match == b.match && a.call == b.call && a.format == b.format;
}

bool has_all(const policy::Policy& policy, const std::vector<policy::SiteRule>& rules) {
  return std::all_of(rules.begin(), rules.end(), [&](const policy::SiteRule& rule) {
    return std::any_of(policy.sites.begin(), policy.sites.end(),
                       [&](const policy::SiteRule& other) { return same_change(rule, other); });
  });
}

}  // namespace

void FixWatch::proposed(const wire::Diagnosis& diagnosis) {
  const std::vector<policy::SiteRule>& rules = diagnosis.fix.rules;
  if (rules.empty()) return;
  const auto known = [&](const Fix& fix) {
    return std::equal(fix.rules.begin(), fix.rules.end(), rules.begin(), rules.end(), same_change);
  };
  if (std::any_of(fixes_.begin(), fixes_.end(), known)) return;
  if (fixes_.size() == kMostFollowed) fixes_.erase(fixes_.begin());
  fixes_.push_back({rules});
}

void FixWatch::began(const policy::Policy& policy, const policy::Resolved& table, std::int64_t step) {
  std::set<int> deciding;
  for (const policy::Decision& decision : table.sites) deciding.insert(decision.rule);
  for (const auto& [call, decision] : table.calls) deciding.insert(decision.rule);
  Fix first;
  for (std::size_t i = 0; i < policy.sites.size(); ++i) {
    const policy::SiteRule& rule = policy.sites[i];
    if (!deciding.contains(static_cast<int>(i))) continue;
    if (rule.format == formats::kFloat32 || rule.format == formats::kBFloat16) first.rules.push_back(rule);
  }
  if (first.rules.empty()) return;
  first.since = step;
  first.told = true;
  first.given = true;
  fixes_.push_back(std::move(first));
}

void FixWatch::applied(const policy::Policy& policy, std::int64_t step) {
  for (Fix& fix : fixes_) {
    if (!has_all(policy, fix.rules)) {
      fix.since = -1;
      fix.told = false;
      fix.failed = false;
      fix.given = false;
      fix.scale = 0;
    } else if (fix.since < 0) {
      fix.since = step;
    }
  }
}

void FixWatch::rewound() {
  for (Fix& fix : fixes_) {
    fix.since = -1;
    fix.scale = 0;
  }
}

std::optional<wire::Event> FixWatch::fallen(const wire::StepRecord& record) {
  for (Fix& fix : fixes_) {
    if (fix.since < 0 || fix.failed || record.step < fix.since) continue;
    if (fix.scale == 0) {
      fix.scale = record.scale;
      fix.scale_at = record.step;
    }
    if (fix.scale < 1 || record.next_scale >= 1) continue;
    fix.failed = true;
    fix.told = true;
    wire::Event event;
    event.step = record.step;
    event.kind = wire::Event::Kind::kFixFailed;
    event.scale = record.scale;
    event.facts = wire::FixFailed{fix.rules, fix.scale, fix.scale_at, record.next_scale, fix.given};
    return event;
  }
  return std::nullopt;
}

std::optional<wire::Event> FixWatch::step(const wire::StepRecord& record, const wire::Diagnosis* diagnosis,
                                          std::span<const wire::SiteInfo> sites) {
  for (Fix& fix : fixes_) {
    if (fix.since < 0 || diagnosis == nullptr) continue;
    const auto failed = [&](const wire::Root& root) {
      return root.site >= 0 && std::any_of(fix.rules.begin(), fix.rules.end(), [&](const policy::SiteRule& rule) {
               return rule.match == sites[static_cast<std::size_t>(root.site)].key.name();
             });
    };
    // Restarts the count: the fix must hold for that many steps without a break.
    if (std::any_of(diagnosis->roots.begin(), diagnosis->roots.end(), failed)) fix.since = record.step + 1;
  }
  if (auto event = fallen(record)) return event;
  for (Fix& fix : fixes_) {
    if (fix.since < 0 || fix.told || record.step + 1 - fix.since < kHeld) continue;
    fix.told = true;
    wire::Event event;
    event.step = record.step;
    event.kind = wire::Event::Kind::kFixHeld;
    event.scale = record.scale;
    event.facts = wire::FixHeld{fix.rules, kHeld};
    return event;
  }
  return std::nullopt;
}

}  // namespace binade::diagnose
