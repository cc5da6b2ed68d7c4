// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/trial.h"

namespace binade::trial {

/// Compares the trainings of a Try: fills in verdict, worse_from and the differences from its seeds.
///
/// Differences are paired by step, so the variation of the batches cancels. Their 95 % interval is Student's: with
/// three or more seeds the seeds' means are its samples, otherwise the means of ten blocks of steps of each seed. The
/// noise is twice the root mean square of the same blocks' means of `noise` - `before`. The floor is a thousandth of
/// the mean loss, below which no difference matters in practice, or 8 units in the last place (float32) of the largest
/// loss if that is more. The band is the larger of noise and floor.
///
/// The loss is worse (or better) if the interval of the mean difference lies above (or below) the band, over all steps
/// or over their last half, since a fault may begin late; or if that holds for each of three or more seeds alone, with
/// its blocks as samples. `worse_from` is then the first step from which the means of
/// the blocks stay above it. If the mean over all steps lies outside the band, but its interval reaches into it,
/// more steps or seeds are needed to tell. See wire/trial_divergence.h for diverged trainings; a
/// seed in which `before` or `noise` diverges says nothing about the policy tried and does not count. Cut arms are
/// compared over the steps that all have (wire/trial_basis.h). Fewer than three such steps are too few to tell, unless
/// all losses are equal. Without any, the noise of the difference is NaN.
void judge(wire::Trial& trial);

}  // namespace binade::trial
