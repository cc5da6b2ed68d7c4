// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/progress.h"
#include "engine/policy/policy.h"
#include "engine/search/evidence.h"
#include "engine/wire/run_config.h"

#include <cstdint>
#include <string>

namespace binade::tuning {

/// Trains `run` under `policy` from `checkpoint`, or from its start if that is empty, at most `steps` steps, until one
/// is not finite or hides an overflow. Marks the op calls that its diagnosis names as `overflowed`: the first causes,
/// and those that its fix changes. Overflows that only show that the loss scale is still falling are passed over. Marks
/// nothing if no step fails so, as in a run that diverges by inexact values, and if the policy does not run at all.
///
/// Sets up a training of its own. Throws what train::set_up() and checkpoint::load_checkpoint() throw, and
/// Error{kCancelled} as for `progress`.
void mark_failing_calls(const wire::RunConfig& run, const std::string& checkpoint, const policy::Policy& policy,
                        std::int64_t steps, const files::Progress& progress, search::StepEvidence& evidence);

}  // namespace binade::tuning
