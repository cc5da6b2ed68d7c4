// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaled/block_stats.h"
#include "engine/silent/evidence.h"
#include "engine/silent/symptom.h"
#include "engine/wire/model_info.h"

#include <span>
#include <vector>

namespace binade::silent {

/// Share of the blocks that die from which a step shows a fault.
inline constexpr double kDead = 0.01;
/// Share of the values that saturate. Scales by OCP's rule saturate up to 2 % of the values of mxfp4 by design.
inline constexpr double kSaturation = 0.03;
/// Doublings that a delayed scale is behind its tensor, in either direction.
inline constexpr double kStale = 1;
/// Share of the blocks that are ruled by one outlier.
inline constexpr double kOutliers = 0.05;
/// Share of the values of a forward operand that become 0 in blocks ruled by outliers.
inline constexpr double kLost = 0.5;
/// Change of a gradient's mean, as a share of the root mean square of its values.
inline constexpr double kBias = 0.005;
/// Decibels that a Hadamard transform must win to name outliers a fault, or a scale of the tensor itself to name a
/// delayed scale stale that is above it: half a bit.
inline constexpr double kWorthwhile = 3;

/// Change of the mean by quantization, as a share of the values' root mean square. 0 for a tensor of zeros.
double bias(const scaled::BlockStats& stats);
/// Whether that change is far above what errors of random sign add up to: 8 standard deviations and kBias.
bool is_biased(const scaled::BlockStats& stats);

/// Symptoms of quantized operands. Outliers count only if the transform was measured and is worthwhile, or if most
/// values of a forward operand become 0 beside them. A bias counts only if stochastic rounding was measured and halves
/// it. A delayed scale above its tensor leaves range unused, which is harmless until values become small numbers of the
/// format: it counts only if every value became 0, or if a scale of the tensor itself was measured and is worthwhile.
std::vector<Symptom> quantized_symptoms(const Evidence& evidence, std::span<const wire::SiteInfo> sites);

}  // namespace binade::silent
