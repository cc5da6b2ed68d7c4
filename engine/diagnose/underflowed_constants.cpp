// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/underflowed_constants.h"

#include "engine/diagnose/trace.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace binade::diagnose {

namespace {

bool takes(const TracedCall& call, double constant) {
  constexpr double kSame = 1e-6;  // the trace stores it as float32
  return std::any_of(call.numbers.begin(), call.numbers.end(),
                     [&](double number) { return std::abs(number - constant) <= kSame * constant; });
}

bool is_ruled(const SiteRules& rules, const graph::Site& site) {
  const std::string name = site.key.name();
  return std::any_of(rules.begin(), rules.end(), [&name](const auto& rule) { return rule.match == name; });
}

}  // namespace

void extend_to_same_constants(ReplayExperiments& experiments, FoundFix& fix, const Trace& first,
                              const Trace& lost_trace, const LostValues& lost) {
  SiteRules rules = fix.rules;
  for (const Cause& cause : lost.causes) {
    const TracedCall& loses = lost_trace.calls()[static_cast<std::size_t>(cause.call)];
    if (!cause.lost.constant || !is_ruled(rules, *loses.site)) continue;
    for (const TracedCall& call : lost_trace.calls()) {
      if (call.site->op != loses.site->op || !takes(call, *cause.lost.constant)) continue;
      if (is_ruled(rules, *call.site)) continue;
      policy::SiteRule& rule = rules.emplace_back();
      rule.match = call.site->key.name();
      rule.format = formats::kFloat32;
      rule.why = "its constant is 0 in the format";
    }
  }
  if (rules.size() == fix.rules.size()) return;
  Trace fixed;
  if (!experiments.run(rules, std::nullopt, &fixed).finite()) return;
  fix.rules = std::move(rules);
  fix.changed = changed_sites(first, fixed);
}

}  // namespace binade::diagnose
