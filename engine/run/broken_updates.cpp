// SPDX-License-Identifier: Apache-2.0
#include "engine/run/broken_updates.h"

#include "engine/silent/stored.h"
#include "engine/words/silent_text.h"

namespace binade::run {

void BrokenUpdates::add(const silent::Evidence& evidence) {
  for (const silent::Symptom& symptom : silent::update_symptoms(evidence)) {
    if (!symptom.proved) continue;
    const wire::SilentFault fault = silent::fault_of(symptom);
    sentences_[symptom.what] = words::silent_sentence(fault, {}) + " " + words::silent_next(fault, {});
  }
}

bool BrokenUpdates::explain(wire::Diagnosis& diagnosis) const {
  if (diagnosis.verdict != wire::Verdict::kNonFiniteParameter) return false;
  for (const wire::Root& root : diagnosis.roots) {
    const auto broken = sentences_.find(root.what);
    if (broken == sentences_.end()) continue;
    diagnosis.message = broken->second;
    diagnosis.notes.clear();
    diagnosis.fix = {};
    diagnosis.fix.text = broken->second;
    return true;
  }
  return false;
}

}  // namespace binade::run
