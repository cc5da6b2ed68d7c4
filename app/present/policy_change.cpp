// SPDX-License-Identifier: Apache-2.0
#include "app/present/policy_change.h"

#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "engine/policy/resolve.h"
#include "views/values/numbers.h"

#include <QStringList>

#include <algorithm>
#include <string>

namespace binade::app {

namespace {

using Keys = std::vector<const policy::SiteKey*>;

std::vector<policy::SiteRule> rulesOnlyIn(const policy::Policy& policy, const policy::Policy& other) {
  std::vector<policy::SiteRule> only;
  for (const policy::SiteRule& rule : policy.sites) {
    if (std::find(other.sites.begin(), other.sites.end(), rule) == other.sites.end()) only.push_back(rule);
  }
  return only;
}

Keys keysOf(const std::vector<policy::SiteRule>& rules, const std::vector<wire::SiteInfo>& sites) {
  Keys keys;
  for (const wire::SiteInfo& site : sites) {
    const auto matches = [&](const policy::SiteRule& rule) { return policy::matches(rule.match, site.key); };
    if (std::any_of(rules.begin(), rules.end(), matches)) keys.push_back(&site.key);
  }
  return keys;
}

bool isWithin(const std::string& path, const std::string& module) {
  return module.empty() || path == module ||
         (path.size() > module.size() && path.compare(0, module.size(), module) == 0 && path[module.size()] == '.');
}

/// The innermost module that contains all op calls; empty: the model itself.
QString moduleOf(const Keys& keys) {
  std::string module = keys.front()->path;
  for (const policy::SiteKey* key : keys) {
    while (!isWithin(key->path, module)) {
      const std::size_t dot = module.find_last_of('.');
      module.resize(dot == std::string::npos ? 0 : dot);
    }
  }
  return QString::fromStdString(module);
}

QString callsTitle(const std::vector<policy::SiteRule>& rules, const Keys& keys) {
  if (keys.size() == 1) return callText(*keys.front());
  if (rules.size() == 1) return QString::fromStdString(rules.front().match);
  if (keys.empty()) return tr("%1 rules").arg(views::grouped(rules.size()));
  const bool one_op = std::all_of(keys.begin(), keys.end(), [&](const auto* key) { return key->op == keys[0]->op; });
  const QString what = one_op ? tr("%1 × %2").arg(views::grouped(keys.size()), QString::fromStdString(keys.front()->op))
                              : tr("%1 op calls").arg(views::grouped(keys.size()));
  const QString module = moduleOf(keys);
  return module.isEmpty() ? what : tr("%1: %2").arg(module, what);
}

/// The format that all rules have; empty: they differ.
QString formatOf(const std::vector<policy::SiteRule>& rules) {
  if (rules.empty()) return {};
  const bool same = std::all_of(rules.begin(), rules.end(),
                                [&](const policy::SiteRule& rule) { return rule.format == rules.front().format; });
  return same ? QString::fromStdString(formats::name(rules.front().format)) : QString();
}

bool isCalled(const std::string& op, const std::vector<wire::SiteInfo>& sites) {
  return std::any_of(sites.begin(), sites.end(), [&](const wire::SiteInfo& site) {
    // Op changes reach inside composite ops, whose inner ops are no sites.
    const bool overload = !site.key.overload.empty() && site.key.op + '.' + site.key.overload == op;
    return site.key.op == op || overload || site.inside;
  });
}

void addRules(const policy::Policy& before, const policy::Policy& after, const std::vector<wire::SiteInfo>& sites,
              PolicyChange& change, QStringList& titles) {
  const std::vector<policy::SiteRule> added = rulesOnlyIn(after, before);
  const std::vector<policy::SiteRule> removed = rulesOnlyIn(before, after);
  const std::vector<policy::SiteRule>& touched = added.empty() ? removed : added;
  if (touched.empty()) {
    // The same rules in another order, of which a later one wins.
    if (before.sites != after.sites) titles << tr("order of rules");
    return;
  }
  titles << callsTitle(touched, keysOf(touched, sites));
  change.removes = added.empty();
  change.format = formatOf(added);
  if (sites.empty()) return;
  for (const policy::SiteRule& rule : added) change.matches &= !keysOf({rule}, sites).empty();
}

void addOps(const policy::Policy& before, const policy::Policy& after, const std::vector<wire::SiteInfo>& sites,
            PolicyChange& change, QStringList& titles) {
  for (const auto& [op, now] : after.ops) {
    const auto then = before.ops.find(op);
    if (then != before.ops.end() && then->second == now) continue;
    titles << QString::fromStdString(op);
    change.removes = false;
    if (const auto* format = std::get_if<formats::Format>(&now); format != nullptr && titles.size() == 1)
      change.format = QString::fromStdString(formats::name(*format));
    change.matches &= sites.empty() || isCalled(op, sites);
  }
  for (const auto& [op, then] : before.ops) {
    if (after.ops.contains(op)) continue;
    change.removes |= titles.isEmpty();
    titles << QString::fromStdString(op);
  }
}

QString baseText(const policy::Policy& policy) {
  return tr("base list %1").arg(QString::fromStdString(policy::name(policy.base)));
}

}  // namespace

PolicyChange policyChange(const policy::Policy& before, const policy::Policy& after,
                          const std::vector<wire::SiteInfo>& sites) {
  PolicyChange change;
  QStringList titles;
  addRules(before, after, sites, change, titles);
  addOps(before, after, sites, change, titles);
  const qsizetype about_calls = titles.size();
  if (before.base != after.base) titles << baseText(after);
  if (before.low != after.low) titles << tr("low format %1").arg(QString::fromStdString(formats::name(after.low)));
  if (before.execution != after.execution)
    titles << tr("execution %1").arg(QString::fromStdString(policy::name(after.execution)));
  if (before.behaviour != after.behaviour)
    titles << tr("behaviour %1").arg(QString::fromStdString(policy::name(after.behaviour)));
  if (titles.isEmpty() && before.name != after.name) titles << tr("name %1").arg(QString::fromStdString(after.name));
  if (titles.isEmpty()) titles << tr("the same policy again");
  if (titles.size() > 1) change.format.clear();
  if (about_calls != titles.size()) change.removes = false;
  change.title = titles.size() == 1 ? titles.front()
                                    : tr("%1, and %2 more").arg(titles.front(), views::grouped(titles.size() - 1));
  if (!change.matches) change.title = tr("%1: nothing matches").arg(change.title);
  return change;
}

QString titleOf(const policy::Policy& policy) {
  return QString::fromStdString(policy.name.empty() ? policy::name(policy.base) : policy.name);
}

int changeCount(const policy::Policy& policy) {
  return static_cast<int>(policy.ops.size() + policy.sites.size());
}

PolicyChange policyStart(const policy::Policy& policy) {
  PolicyChange start;
  start.title = baseText(policy);
  if (const int changes = changeCount(policy); changes > 0)
    start.title = changes == 1 ? tr("%1 with 1 change").arg(start.title)
                               : tr("%1 with %2 changes").arg(start.title, views::grouped(changes));
  const bool casts = policy.base != policy::Base::kAllFloat32 && policy.base != policy::Base::kApexO0;
  start.format = QString::fromStdString(formats::name(casts ? policy.low : formats::kFloat32));
  return start;
}

}  // namespace binade::app
