// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"

namespace binade::app {

/// Returns the fault of an op call whose overflow leaves loss and gradients finite, while it lasts: it occurred in one
/// of about the last five observations. Null if there is none. Valid as long as the run's report.
const wire::SilentFault* vanishedOverflowAt(const RunModel& run, int site);

/// Returns the worst one over all op calls, or null.
const wire::SilentFault* worstVanishedOverflow(const RunModel& run);

}  // namespace binade::app
