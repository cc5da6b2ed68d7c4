// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/progress.h"
#include "engine/trial/trials.h"
#include "engine/tuning/search_file.h"

namespace binade::host {

/// The state of a search that is new. Checks by training that the policy that it starts from fails, for a repair, or
/// else trains, and then measures one step. Reports on standard error what it does. Its time counts in the budget of
/// the search. Throws Error{kBadRun} or Error{kUsage} for a policy that the goal does not suit, and Error{kCancelled}
/// if `progress` is stopped.
tuning::SearchState prepare_search(const tuning::SearchRequest& request, trial::Trials& trials,
                                   const files::Progress& progress);

}  // namespace binade::host
