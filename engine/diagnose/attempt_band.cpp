// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/attempt_band.h"

#include "engine/diagnose/safe_scales.h"

#include <algorithm>
#include <exception>
#include <vector>

namespace binade::diagnose {

void measure_band(ReplayExperiments& experiments, const SiteRules& rules) {
  if (experiments.replay().training().scalers.size() != 1) return;
  std::vector<wire::Attempt>& evidence = experiments.evidence();
  const auto attempt = std::find_if(evidence.rbegin(), evidence.rend(), [&](const wire::Attempt& each) {
    return each.finite && each.rules == rules && !each.ahead && each.note.empty() &&
           each.without == experiments.without_casts() && each.scale == experiments.scale(0);
  });
  if (attempt == evidence.rend() || attempt->band) return;
  try {
    attempt->band =
        measure_safe_scales(experiments.replay(), 0, experiments.factors(), rules, experiments.lifted()).band;
  } catch (const std::exception&) {  // the change stands without it: the window shows the figures as unknown
  }
}

}  // namespace binade::diagnose
