// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/cause.h"
#include "engine/observe/trace.h"
#include "engine/train/replay.h"
#include "engine/wire/diagnosis.h"

#include <optional>

namespace binade::train {

/// Says of a first cause in which rows of its batch it lies, where that is known: of data at once; of what an op call
/// made, where some of its rows are not finite and the step is finite with another row of the batch in their place,
/// which one more replay shows and `evidence` takes; of a loss, all of them, where none has a label. While a
/// Replay::Aside lives. `diagnosis.roots` are those of `causes`, in the same order; the first is looked at.
void name_bad_rows(wire::Diagnosis& diagnosis, const observe::Causes& causes, const observe::Trace& trace,
                   Replay& replay, bool may_replay);

/// The rows of the first of the step's batches in which a loss over classes finds no label at all: its mean, over none,
/// is NaN whatever the numbers are. Nothing where each such loss has some.
std::optional<wire::BadRows> rows_without_label(Replay& replay);

}  // namespace binade::train
