// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/silent/symptom.h"
#include "engine/wire/comparison.h"
#include "engine/wire/records.h"

#include <optional>
#include <span>
#include <vector>

namespace binade::silent {

/// Share of a tensor's norm whose loss is a symptom; equal to the share that the safe scale band allows
/// (formats::kLostNorm). A smaller loss is within the rounding error of any 16-bit format.
inline constexpr double kNotableLoss = 0.01;

/// Symptoms of outputs and gradients that lost a notable share of their norm to 0. The share is exact for tensors
/// measured before rounding. Otherwise it is a bound, because each value may be off by up to half the smallest
/// subnormal; such symptoms are suspicions that a comparison with float32 confirms.
std::vector<Symptom> underflow_symptoms(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                                        std::span<const wire::SiteInfo> sites);

/// Symptoms of arguments that lost such a share in their cast.
std::vector<Symptom> cast_underflow_symptoms(const Evidence& evidence, std::span<const wire::SiteInfo> sites);

/// Symptoms from a comparison of one step with float32: op calls that lost a notable share to 0 in a format of narrow
/// range, or added a large error there, measured on their actual arguments. Tensors that are counted before rounding
/// are left out. The fix for a gradient is a scale inside `band` if it has one above the step's.
std::vector<Symptom> compared_symptoms(const wire::Float32Comparison& compared,
                                       std::span<const wire::WatchedTensor> watched,
                                       std::span<const wire::SiteInfo> sites,
                                       const std::optional<wire::ScaleBand>& band = {});

}  // namespace binade::silent
