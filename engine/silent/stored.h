// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/silent/sign.h"
#include "engine/wire/model_info.h"

#include <span>
#include <vector>

namespace binade::silent {

/// Share of an update's norm that must be lost to count. float32 weights as a whole lose less than a thousandth of it
/// in any training that still learns, but a small bias at a low learning rate was seen to lose a twentieth.
inline constexpr double kLostUpdate = 0.1;
/// A gradient this much smaller than the largest, element by element, is what rounding leaves of one that is 0: of a
/// bias before a batch norm, say. Whether its updates are lost is no matter.
inline constexpr double kNoGradient = 1e-4;
/// Share of what a sum of the optimizer ought to change by, or of its numbers, that must be lost to count.
inline constexpr double kLostState = 0.01;

/// Updates too small for the stored weight: round(w + u) = w.
std::vector<Sign> update_signs(const Evidence& evidence);

/// Momenta and squares in a 16-bit format that vanish there, or stand still because what is added is too small.
std::vector<Sign> state_signs(const Evidence& evidence);

/// Whole numbers that became others: beyond 2^(M+1) a format holds no longer all of them.
std::vector<Sign> integer_signs(const Evidence& evidence, std::span<const wire::SiteInfo> sites);

}  // namespace binade::silent
