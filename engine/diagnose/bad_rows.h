// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/cause.h"
#include "engine/diagnose/replay.h"
#include "engine/diagnose/trace.h"
#include "engine/wire/diagnosis.h"

#include <optional>

namespace binade::diagnose {

/// Adds to the first cause the rows of its batch in which it lies, if they can be determined. For data they are known
/// at once. For an op call's result, one more replay with these rows replaced must be finite; `diagnosis.evidence`
/// records it. For a loss, all rows, if none has a label. Requires a train::TrainingStateGuard. `diagnosis.roots`
/// correspond to those of `causes`, in the same order; only the first is examined.
void name_bad_rows(wire::Diagnosis& diagnosis, const Causes& causes, const Trace& trace, Replay& replay,
                   bool may_replay);

/// Returns the rows of the first of the step's batches in which a loss over classes finds no label at all, so that its
/// mean is NaN. nullopt if each such loss has a label.
std::optional<wire::BadRows> rows_without_label(Replay& replay);

}  // namespace binade::diagnose
