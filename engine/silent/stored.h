// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/silent/symptom.h"
#include "engine/wire/model_info.h"

#include <span>
#include <vector>

namespace binade::silent {

/// Share of an update's norm whose loss is a symptom. With a tenth of its norm lost, an update still points within six
/// degrees of its direction and keeps 99.5 % of its length along it; batches differ by far more. Beyond that the loss
/// grows fast, because the same elements are lost each time: the smallest updates of the largest weights.
inline constexpr double kLostUpdate = 0.1;
/// Ratio to the largest gradient, element by element, below which a gradient is only the rounding error of 0; its lost
/// updates do not matter. An example is a bias before a batch norm: backward adds numbers that cancel, each with an
/// error of up to one unit in the last place of its format.
double no_gradient(const formats::Format& computed);
/// Share of an optimizer's sum, or of its change, whose loss is a symptom.
inline constexpr double kLostState = 0.01;

/// Symptoms of updates too small for the stored weight: round(w + u) = w.
std::vector<Symptom> update_symptoms(const Evidence& evidence);

/// Symptoms of momenta and squares in a 16-bit format that become 0 there, or that do not change because the addend is
/// too small.
std::vector<Symptom> state_symptoms(const Evidence& evidence);

/// Symptoms of integers that a cast changed: beyond 2^(M+1) a format does not hold all integers.
std::vector<Symptom> integer_symptoms(const Evidence& evidence, std::span<const wire::SiteInfo> sites);

}  // namespace binade::silent
