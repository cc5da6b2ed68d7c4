// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/silent/symptom.h"
#include "engine/wire/model_info.h"

#include <span>
#include <vector>

namespace binade::silent {

/// Relative error from which a sum is a symptom: 0.01, or four times the error of a single rounding if that is larger.
double notable_sum_error(const formats::Format& format);

/// Symptoms of sums whose rounding errors have accumulated. `sites` are indexed by id.
std::vector<Symptom> lost_sum_symptoms(const Evidence& evidence, std::span<const wire::SiteInfo> sites);

}  // namespace binade::silent
