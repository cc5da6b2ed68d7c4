// SPDX-License-Identifier: Apache-2.0
#include "app/present/policy_choices.h"

#include "app/model/translate.h"

#include <algorithm>

namespace binade::app {

namespace {

constexpr int kMostRevisions = 8;
constexpr int kMostTried = 8;

void offer(QList<PolicyChoice>& choices, const QString& text, const policy::Policy& policy) {
  const auto same = [&](const PolicyChoice& each) { return each.policy == policy; };
  if (std::none_of(choices.begin(), choices.end(), same)) choices.append({text, policy});
}

/// The list alone, with what is not a change to it: the low format and how formats are computed.
policy::Policy listOf(const policy::Policy& policy) {
  policy::Policy list = policy;
  list.name.clear();
  list.ops.clear();
  list.sites.clear();
  list.provenance = {};
  return list;
}

}  // namespace

QList<PolicyChoice> policyChoices(const RunModel& run, const policy::Policy& edited) {
  QList<PolicyChoice> choices;
  const auto& policies = run.policies();
  if (policies.empty()) return choices;
  if (!(edited == policies.back().policy)) offer(choices, tr("The edited policy"), edited);
  int left = kMostRevisions;
  for (auto known = policies.rbegin(); known != policies.rend() && left > 0; ++known, --left) {
    offer(choices,
          known == policies.rbegin() ? tr("Revision %1, in force").arg(known->revision)
                                     : tr("Revision %1").arg(known->revision),
          known->policy);
  }
  const policy::Policy list = listOf(policies.back().policy);
  offer(choices, tr("Base list %1").arg(QString::fromStdString(policy::name(list.base))), list);
  policy::Policy full = list;
  full.base = policy::Base::kAllFloat32;
  offer(choices, tr("Everything in float32"), full);
  left = kMostTried;
  for (auto tried = run.trials().rbegin(); tried != run.trials().rend() && left > 0; ++tried, --left) {
    offer(choices, tr("Tried: %1").arg(QString::fromStdString(tried->name)), tried->after);
  }
  return choices;
}

}  // namespace binade::app
