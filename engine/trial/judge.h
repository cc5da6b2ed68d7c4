// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/trial.h"

namespace binade::trial {

/// Compares the trainings of a Try: fills in verdict, worse_from and the differences from its seeds. Differences are
/// paired by step, so the variation of the batches cancels. The loss is worse (or better) if the interval of the mean
/// difference lies above (or below) the noise band. Cut arms are compared over the steps that all have.
void judge(wire::Trial& trial);

}  // namespace binade::trial
