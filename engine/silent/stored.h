// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/silent/sign.h"
#include "engine/wire/model_info.h"

#include <span>
#include <vector>

namespace binade::silent {

/// Share of an update's norm that must be lost to count. With a tenth of its norm gone an update still points where it
/// should to within six degrees, and all but half a per cent of its length that way remains: batches disagree by far
/// more. From there on the part that stands still grows fast, as what is lost is always the same: the smallest updates
/// of the largest weights.
inline constexpr double kLostUpdate = 0.1;
/// A gradient this much smaller than the largest, element by element, is what rounding leaves of one that is 0: of a
/// bias before a batch norm, say, over which backward adds numbers that cancel, each off by up to one unit in the last
/// place of its format. Whether its updates are lost is no matter.
double no_gradient(const formats::Format& computed);
/// Share of what a sum of the optimizer ought to change by, or of its numbers, that must be lost to count.
inline constexpr double kLostState = 0.01;

/// Updates too small for the stored weight: round(w + u) = w.
std::vector<Sign> update_signs(const Evidence& evidence);

/// Momenta and squares in a 16-bit format that vanish there, or stand still because what is added is too small.
std::vector<Sign> state_signs(const Evidence& evidence);

/// Whole numbers that became others: beyond 2^(M+1) a format holds no longer all of them.
std::vector<Sign> integer_signs(const Evidence& evidence, std::span<const wire::SiteInfo> sites);

}  // namespace binade::silent
