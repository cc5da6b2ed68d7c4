// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/rules_for.h"

#include "engine/formats/error.h"
#include "engine/policy/decision_text.h"
#include "engine/targets/proof.h"

namespace binade::targets {

namespace {

policy::SiteRule rule_of(const Stated& stated, const std::string& match) {
  const policy::Decision& wanted = stated.decision;
  policy::SiteRule rule;
  rule.match = match;
  rule.call = stated.call;
  rule.format = wanted.format;
  if (wanted.backward != formats::default_backward(wanted.format)) rule.backward = wanted.backward;
  if (wanted.overflow != formats::default_overflow(wanted.format)) rule.overflow = wanted.overflow;
  rule.products = wanted.products;
  return rule;
}

}  // namespace

policy::Policy rules_for(policy::Policy start, const std::vector<Stated>& stated, const Assignment& model,
                         const std::string& source) {
  const policy::Resolved before = policy::resolve(start, model.keys, model.table.capabilities, model.places);
  std::vector<policy::Decision> now = before.sites;
  for (const Stated& each : stated) {
    const policy::Decision& current = now[each.site];
    if (same_treatment(current, each.decision)) continue;
    const std::string name = model.keys[each.site].name();
    if (each.decision.kind != policy::Decision::Kind::kFormat) {
      throw Error(ErrorCode::kBadPolicy,
                  source + ": " + each.place + ": " + name + " is stated as \"" + policy::decision_text(each.decision) +
                      "\", but a rule for one op call can only name a format",
                  "The policy treats it as \"" + policy::decision_text(current) +
                      "\". Give a format here, or change the op under \"ops\" in a policy file.");
    }
    start.sites.push_back(rule_of(each, name));
    if (!each.call) now[each.site] = each.decision;
  }
  return start;
}

}  // namespace binade::targets
