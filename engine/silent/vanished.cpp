// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/vanished.h"

namespace binade::silent {

std::vector<Symptom> vanished_symptoms(const Evidence& evidence) {
  std::vector<Symptom> symptoms;
  for (const VanishedSeen& seen : evidence.vanished) {
    Symptom symptom;
    symptom.kind = Symptom::Kind::kVanishedOverflow;
    symptom.site = seen.site;
    symptom.what = "output";
    symptom.format = seen.format;
    symptom.largest = seen.largest;
    symptom.amount = seen.wrong.value_or(seen.infinite);
    symptom.unit = seen.wrong ? wire::SilentFault::Unit::kLaterValues : wire::SilentFault::Unit::kValues;
    symptom.facts.share = seen.infinite;
    symptom.facts.where = seen.where;
    symptom.facts.wrong = seen.wrong;
    symptom.facts.harmless = seen.harmless;
    symptom.facts.unmeasured = seen.unmeasured;
    if (seen.wrong) {
      symptom.facts.step = seen.measured;
      symptom.facts.loss = seen.loss;
      symptom.facts.usual_loss = seen.mended;
    }
    symptom.harmless = seen.harmless;
    symptom.fix = seen.fix;
    symptoms.push_back(std::move(symptom));
  }
  return symptoms;
}

}  // namespace binade::silent
