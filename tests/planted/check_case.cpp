// SPDX-License-Identifier: Apache-2.0
#include "tests/planted/check_case.h"

#include "engine/policy/base_policy.h"
#include "engine/wire/enum_text.h"

#include <vector>

namespace binade::test {

bool holds(wire::TrialVerdict verdict) {
  return verdict == wire::TrialVerdict::kInsideNoise || verdict == wire::TrialVerdict::kBetter;
}

bool fails(wire::TrialVerdict verdict) {
  return verdict == wire::TrialVerdict::kWorse || verdict == wire::TrialVerdict::kDiverged ||
         verdict == wire::TrialVerdict::kDoesNotRun;
}

wire::TrialVerdict besideFloat32(trial::Trials& trials, const policy::Policy& policy, std::int64_t steps) {
  return trials.run({.before = policy::float32_throughout(), .after = policy, .steps = steps}).verdict;
}

std::string faultOf(const PlantedCase& planted, trial::Trials& trials, std::int64_t steps) {
  const policy::Policy& base = planted.run.policy;
  wire::TrialVerdict verdict = besideFloat32(trials, base, steps);
  if (!fails(verdict)) return "without rules: " + std::string(wire::word(verdict));
  verdict = besideFloat32(trials, withFloat32(base, planted.known), steps);
  if (!holds(verdict)) return "with the known rules: " + std::string(wire::word(verdict));
  for (std::size_t i = 0; planted.known.size() > 1 && i < planted.known.size(); ++i) {
    std::vector<std::string> others = planted.known;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    verdict = besideFloat32(trials, withFloat32(base, others), steps);
    if (!fails(verdict)) return "without " + planted.known[i] + ": " + std::string(wire::word(verdict));
  }
  return {};
}

}  // namespace binade::test
