// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/cause.h"
#include "engine/observe/trace.h"
#include "engine/train/replay.h"
#include "engine/wire/diagnosis.h"

namespace binade::train {

/// Says of a first cause in which rows of its batch it lies, where that is known: of data at once; of what an op call
/// made, where some of its rows are not finite and the step is finite with another row of the batch in their place,
/// which one more replay shows and `evidence` takes. While a Replay::Aside lives. `diagnosis.roots` are those of
/// `causes`, in the same order; the first is looked at.
void name_bad_rows(wire::Diagnosis& diagnosis, const observe::Causes& causes, const observe::Trace& trace,
                   Replay& replay, bool may_replay);

}  // namespace binade::train
