// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/lost_sum.h"

#include <algorithm>
#include <cmath>

namespace binade::silent {

namespace {

constexpr std::size_t kMostRules = 16;

}  // namespace

double notable_sum_error(const formats::Format& format) {
  constexpr double kLeast = 0.01;
  return std::max(kLeast, std::ldexp(1.0, 1 - format.mantissa_bits));
}

std::vector<Symptom> lost_sum_symptoms(const Evidence& evidence, std::span<const wire::SiteInfo> sites) {
  std::vector<Symptom> symptoms;
  for (const SumSeen& seen : evidence.sums) {
    // A sum that is not finite has left its format: that is reported as an overflow.
    if (!std::isfinite(seen.error) || seen.error < notable_sum_error(seen.format)) continue;
    Symptom symptom;
    symptom.kind = Symptom::Kind::kLostSum;
    symptom.site = seen.site;
    symptom.what = "sum";
    symptom.format = seen.format;
    symptom.amount = std::min(1.0, seen.error);
    symptom.unit = wire::SilentFault::Unit::kSumError;
    symptom.facts.share = seen.error;
    symptom.facts.count = static_cast<std::uint64_t>(seen.additions);
    symptom.facts.in_loop = seen.loop;
    if (seen.in_place || seen.sites.size() > kMostRules) {
      symptoms.push_back(std::move(symptom));
      continue;
    }
    for (const int id : seen.sites) {
      policy::SiteRule& rule = symptom.fix.rules.emplace_back();
      rule.match = sites[static_cast<std::size_t>(id)].key.name();
      rule.format = formats::kFloat32;
      rule.why = "roundings of a long sum add up";
    }
    symptoms.push_back(std::move(symptom));
  }
  return symptoms;
}

}  // namespace binade::silent
