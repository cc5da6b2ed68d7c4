// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/other_formats.h"

#include "engine/diagnose/attempt_band.h"

#include <algorithm>
#include <cstddef>

namespace binade::diagnose {

void try_other_formats(ReplayExperiments& experiments, const std::vector<wire::Root>& roots) {
  constexpr std::size_t kMostCalls = 4;
  const train::Training& training = experiments.replay().training();
  if (training.scalers.size() > 1) return;
  SiteRules rules;
  for (const wire::Root& root : roots) {
    if (root.site < 0) return;
    policy::SiteRule rule;
    rule.match = training.sites[static_cast<std::size_t>(root.site)]->key.name();
    rule.format = formats::kFloat32;
    if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
  }
  if (rules.empty() || rules.size() > kMostCalls) return;
  const std::vector<double> factors = experiments.factors();
  experiments.at_start();
  for (const formats::Format& format : {formats::kFloat32, formats::kBFloat16}) {
    for (policy::SiteRule& rule : rules) rule.format = format;
    experiments.run(rules);
    measure_band(experiments, rules);
  }
  experiments.forget_failure();
  experiments.set_factors(factors);
}

}  // namespace binade::diagnose
