// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/run_model.h"

namespace binade::app {

/// The fault of an op call whose overflow leaves loss and gradients finite, as long as it lasts: it showed in one of
/// about the last five looks. Null where there is none. It lives as long as the run's report.
const wire::SilentFault* vanishedOverflowAt(const RunModel& run, int site);

/// The worst of all op calls; null where there is none.
const wire::SilentFault* worstVanishedOverflow(const RunModel& run);

}  // namespace binade::app
