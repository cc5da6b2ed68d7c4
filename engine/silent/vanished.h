// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/silent/symptom.h"

#include <vector>

namespace binade::silent {

/// Symptoms of overflows whose infinity vanishes before the loss.
std::vector<Symptom> vanished_symptoms(const Evidence& evidence);

}  // namespace binade::silent
