// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/stored.h"

#include <algorithm>
#include <cmath>

namespace binade::silent {

namespace {

/// Symptom of an update that is infinite or 0 / 0, because a root and the epsilon beside it are 0.
Symptom broken_update(const UpdateSeen& seen) {
  Symptom symptom;
  symptom.kind = Symptom::Kind::kLowState;
  symptom.direction = wire::Direction::kBackward;
  symptom.what = seen.parameter;
  symptom.format = seen.format;
  symptom.proved = true;
  symptom.amount = share(seen.broken, seen.elements);
  symptom.unit = wire::SilentFault::Unit::kWeights;
  symptom.facts.share = symptom.amount;
  symptom.facts.count = seen.broken;
  symptom.facts.of = seen.elements;
  if (seen.epsilon > 0 && seen.epsilon <= seen.format.underflow_limit()) symptom.facts.epsilon = seen.epsilon;
  return symptom;
}

}  // namespace

double no_gradient(const formats::Format& computed) {
  constexpr double kLeast = 1e-4;  // error of long float32 sums
  return std::max(kLeast, std::ldexp(1.0, -computed.mantissa_bits));
}

std::vector<Symptom> update_symptoms(const Evidence& evidence) {
  double largest = 0;
  for (const UpdateSeen& seen : evidence.updates) largest = std::max(largest, seen.gradient);
  std::vector<Symptom> symptoms;
  for (const UpdateSeen& seen : evidence.updates) {
    if (seen.broken > 0) symptoms.push_back(broken_update(seen));
    if (seen.lost == 0 || seen.lost_norm < kLostUpdate) continue;
    if (seen.gradient < no_gradient(seen.computed) * largest) continue;
    Symptom symptom;
    symptom.kind = Symptom::Kind::kUpdateLost;
    symptom.direction = wire::Direction::kBackward;
    symptom.what = seen.parameter;
    symptom.format = seen.format;
    symptom.amount = std::min(1.0, seen.lost_norm);
    symptom.unit = wire::SilentFault::Unit::kUpdateNorm;
    symptom.facts.share = symptom.amount;
    symptom.facts.count = seen.lost;
    symptom.facts.of = seen.moved;
    symptom.facts.update_over_weight = seen.update_over_weight;
    symptoms.push_back(std::move(symptom));
  }
  return symptoms;
}

std::vector<Symptom> state_symptoms(const Evidence& evidence) {
  std::vector<Symptom> symptoms;
  for (const StateSeen& seen : evidence.states) {
    const double vanished = share(seen.vanished, seen.counted);
    const double amount = std::max(vanished, seen.lost_norm);
    if (amount < kLostState) continue;
    const bool mostly_vanished = vanished >= seen.lost_norm;
    Symptom symptom;
    symptom.kind = Symptom::Kind::kLowState;
    symptom.direction = wire::Direction::kBackward;
    symptom.what = seen.tensor;
    symptom.format = seen.format;
    symptom.amount = std::min(1.0, amount);
    symptom.unit = mostly_vanished ? wire::SilentFault::Unit::kStateNumbers : wire::SilentFault::Unit::kStateChange;
    symptom.facts.share = amount;
    symptom.facts.count = mostly_vanished ? seen.vanished : seen.lost;
    symptom.facts.of = mostly_vanished ? seen.counted : seen.moved;
    symptoms.push_back(std::move(symptom));
  }
  return symptoms;
}

std::vector<Symptom> integer_symptoms(const Evidence& evidence, std::span<const wire::SiteInfo> sites) {
  std::vector<Symptom> symptoms;
  for (const ArgumentSeen& seen : evidence.arguments) {
    if (seen.whole == 0 || seen.changed == 0 || seen.learnt) continue;
    const wire::SiteInfo& site = sites[static_cast<std::size_t>(seen.site)];
    Symptom symptom;
    symptom.kind = Symptom::Kind::kInexactIntegers;
    symptom.site = seen.site;
    symptom.what = seen.argument;
    symptom.format = seen.format;
    symptom.amount = share(seen.changed, seen.whole);
    symptom.unit = wire::SilentFault::Unit::kNumbers;
    symptom.facts.share = symptom.amount;
    symptom.facts.count = seen.changed;
    symptom.facts.of = seen.whole;
    symptom.facts.largest = seen.largest;
    if (seen.cast_by_policy) {
      policy::SiteRule& rule = symptom.fix.rules.emplace_back();
      rule.match = site.key.name();
      rule.format = formats::kFloat32;
      rule.why = "whole numbers that the format does not hold";
    }
    symptoms.push_back(std::move(symptom));
  }
  return symptoms;
}

}  // namespace binade::silent
