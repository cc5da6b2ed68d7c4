// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/silent/sign.h"
#include "engine/wire/comparison.h"
#include "engine/wire/records.h"

#include <optional>
#include <span>
#include <vector>

namespace binade::silent {

/// Share of a tensor's norm from which a loss counts: the share that the safe scale band allows too
/// (formats::kLostNorm). Below it the values are lost among the rounding of any 16-bit format.
inline constexpr double kNotableLoss = 0.01;

/// Outputs and gradients of a step that lost a notable share of their norm to 0. Seen before rounding the share is
/// exact; seen after it, a bound: each value is off by half the smallest subnormal number at most. Those signs are
/// suspicions, which a comparison with float32 confirms.
std::vector<Sign> underflow_signs(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                                  std::span<const wire::SiteInfo> sites);

/// The same of arguments that became 0 in their cast.
std::vector<Sign> cast_underflow_signs(const Evidence& evidence, std::span<const wire::SiteInfo> sites);

/// What a comparison of one step with float32 says to suspicions: the op calls that lost a notable share to 0 in a
/// format of narrow range, or added a large error there, measured on the very arguments that they had. Empty where none
/// did; what is counted before it is rounded is left to that count. A gradient's fix is a scale inside `band`, where
/// there is one above the step's.
std::vector<Sign> compared_signs(const wire::Float32Comparison& compared, std::span<const wire::WatchedTensor> watched,
                                 std::span<const wire::SiteInfo> sites,
                                 const std::optional<wire::ScaleBand>& band = {});

}  // namespace binade::silent
